/** Adds a copy button to each block of code, unless the browser does not let pages copy. */
;(() => {
  const SHOWN_MS = 2_000
  const texts =
    document.documentElement.lang === 'it' ? { copy: 'Copia', copied: 'Copiato' } : { copy: 'Copy', copied: 'Copied' }
  const { clipboard } = navigator
  if (!clipboard) return // plain HTTP on another machine

  equip()
  document.addEventListener('replaced', equip) // by tomorrow.js

  function equip() {
    for (const block of document.querySelectorAll('main pre:not(.copyable > pre)')) {
      const holder = document.createElement('div')
      holder.className = 'copyable'
      block.replaceWith(holder)
      holder.append(block, buttonFor(block))
    }
  }

  /** @param {Element} block */
  function buttonFor(block) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'button copy'
    button.textContent = texts.copy
    // As a live region, the button announces its changed label to screen readers.
    button.setAttribute('aria-live', 'polite')
    button.addEventListener('click', async () => {
      try {
        await clipboard.writeText((block.textContent ?? '').trimEnd())
      } catch {
        getSelection()?.selectAllChildren(block) // denied: select the code for copying by keyboard
        return
      }
      button.textContent = texts.copied
      setTimeout(() => {
        button.textContent = texts.copy
      }, SHOWN_MS)
    })
    return button
  }
})()
