"""Each demo cartridge is the one its address map lists, by every hash."""

from __future__ import annotations

import hashlib
import zlib

import pytest

from emubot.cartridge import load_cartridge
from emubot.demos import IMAGES, image
from emubot.games.declared import demo_family
from emubot.rammap import map_for


@pytest.mark.parametrize("name", IMAGES)
def test_the_map_lists_the_image_as_it_ships(name: str) -> None:
    cartridge = load_cartridge(image(name))
    found = map_for(cartridge)
    assert found.name == demo_family(name).facts.default_map
    listed = next(identity for identity in found.identities if identity.sha1 == cartridge.sha1)
    body = image(name).read_bytes()[16:]
    assert (listed.crc32, listed.md5) == (f"{zlib.crc32(body):08X}", hashlib.md5(body).hexdigest().upper())
    assert listed.size == len(body)
