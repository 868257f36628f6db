// The site's search where its pages are read from a disk: there a browser starts no Worker, so a hidden frame stands in for one.
// (What mkdocs-material's `offline` plugin would else fetch from the network; it knows this file by its name.)
if (location.protocol === "file:") {
  window.Worker = window.IFrameWorker = class extends EventTarget {
    constructor(url) {
      super()
      const frame = document.createElement("iframe")
      frame.hidden = true
      document.body.append(frame)
      this.inner = frame.contentWindow
      const page = this.inner.document
      page.open()
      page.write("<!doctype html><script>postMessage = parent.postMessage.bind(parent)</script>")
      const code = page.createElement("script")
      this.loaded = new Promise(done => (code.onload = done))
      code.src = new URL(url, document.baseURI).href
      page.head.append(code)
      page.close()
      addEventListener("message", event => {
        if (event.source === this.inner) this.answer(event.data)
      })
    }
    answer(data) {
      this.dispatchEvent(new MessageEvent("message", { data }))
    }
    postMessage(data) {
      this.loaded.then(() => this.inner.dispatchEvent(new MessageEvent("message", { data })))
    }
  }
}
