/* Lets the search work in a site that is opened from a folder, where browsers start no worker: a frame does its work.
   A worker gets messages, answers with postMessage and loads scripts by importScripts. Elsewhere nothing is changed. */
"use strict"
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super()
      this.frame = document.createElement("iframe")
      this.frame.hidden = true
      document.body.append(this.frame)
      const inside = this.frame.contentWindow
      inside.postMessage = data => this.dispatchEvent(new MessageEvent("message", { data }))
      inside.importScripts = (...scripts) => scripts.reduce((before, script) => before.then(() => this.load(script)), Promise.resolve())
      this.ready = this.load(new URL(url, document.baseURI))
    }
    load(script) {
      const { document } = this.frame.contentWindow
      return new Promise((resolve, reject) => {
        const element = Object.assign(document.createElement("script"), { src: script, onload: resolve, onerror: reject })
        document.head.append(element)
      })
    }
    postMessage(data) {
      this.ready.then(() => this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data })))
    }
    terminate() {
      this.frame.remove()
    }
  }
}
