// Runs inline after the empty page: shows the headline of the visitors' start page before any code is loaded.
// The build replaces `HEADLINES` with headline and lead in each language.
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
