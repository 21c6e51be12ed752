// Runs inline after the empty page: a visitor's start page says what this is before any code has arrived.
// `HEADLINES` is replaced by the build with headline and lead in each language.
;(() => {
  const isStart = /^#?\/?(\?|$)/.test(location.hash)
  let isVisitor = true
  try {
    isVisitor = localStorage.getItem('session') === null
  } catch {}
  const headlines = HEADLINES
  const [headline, lead] = headlines[document.documentElement.lang] || []
  if (!isStart || !isVisitor || !headline) return
  const hero = document.querySelector('#hero')
  hero.hidden = false
  hero.querySelector('h1').textContent = headline
  hero.querySelector('p').textContent = lead
  document.querySelector('.boot').hidden = true
})()
