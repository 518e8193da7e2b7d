// Why a placement is worth less than the best one, in words: what differs, not what it is made of. Knows no page.

const LEAST = 0.05; // of what a placement is worth less: a part that differs by less is no reason
const SHOWN = 3;
const LOST = 1e9; // a value as low as this is the end of the game

/** Returns what a placement is worth: the best one its value, another one how much less. */
export function worthOf(one, best) {
  if (Math.abs(one.value) >= LOST) return "loses";
  if (one === best || Math.abs(best.value) >= LOST) return number(one.value);
  return best.value === one.value ? "the same" : `${number(best.value - one.value)} less`;
}

/** Returns the reasons for which `one` is worth more or less than `other`, the weightiest first. */
export function reasonsOf(one, other) {
  if (Math.abs(one.value) >= LOST) return "ends the game";
  const parts = [...new Set([...one.parts, ...other.parts].map((part) => part.name))].map((name) => {
    const [here, there] = [one, other].map((each) => each.parts.find((part) => part.name === name) ?? { value: 0, amount: null });
    return { name: name.replaceAll("_", " "), value: here.value - there.value, amounts: [here.amount, there.amount] };
  });
  const least = Math.max(1e-3, LEAST * Math.abs(one.value - other.value));
  const told = parts.filter((part) => Math.abs(part.value) >= least).sort((a, b) => Math.abs(b.value) - Math.abs(a.value)).slice(0, SHOWN);
  return told.map(words).join("; ");
}

function words({ name, value, amounts: [here, there] }) {
  const effect = `${number(Math.abs(value))} ${value > 0 ? "better" : "worse"}`;
  if (here === null || there === null || here === there) return `${name}: ${effect}`;
  const by = Math.abs(here - there);
  const count = Number.isInteger(by) ? `${number(by)} ` : "";
  return `${name}: ${count}${here > there ? "more" : "fewer"} (${effect})`;
}

function number(value) {
  return value.toLocaleString("en", { maximumFractionDigits: Math.abs(value) < 1 ? 2 : Math.abs(value) < 100 ? 1 : 0 });
}
