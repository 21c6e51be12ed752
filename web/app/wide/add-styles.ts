/** Adds the styles of a part that has a file of its own: the page's styles are those of a phone's first screens. */
export function addStyles(css: string): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  document.adoptedStyleSheets.push(sheet)
}
