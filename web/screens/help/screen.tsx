import { useEffect, useRef, useState } from 'react'
import { usePlace } from '../../app/location.ts'
import { useTranslation } from '../../app/translate.ts'
import { useIsWide } from '../../app/wide/use-is-wide.ts'
import { Explained } from '../../parts/help/term-sheet.tsx'
import { SearchField } from '../../parts/market/search-field.tsx'
import { matching, type TermGroup, termGroups, type TermId, termIds } from '../../parts/help/terms.ts'
import { PageHeader } from '../../parts/ui/page.tsx'
import { LinkRow, Rows } from '../../parts/ui/row.tsx'
import { Empty } from '../../parts/ui/state.tsx'
import { Split } from '../../parts/wide/split.tsx'

/** All terms of trading, by what they belong to, with a search. `?term` opens one; a wide window shows it beside the list. */
export function Screen() {
  const { t } = useTranslation()
  const asked = usePlace().query.get('term')
  if (!useIsWide()) return <Terms asked={asked} />
  const shown = termIds.find((id) => id === asked) ?? 'mark'
  return (
    <Split name="/help" label={t('terms.page.title')} list={<Terms asked={shown} isBeside />}>
      <article className="flex flex-col gap-3 px-4 py-4">
        <h2 className="text-22 font-semibold">{t(`terms.of.${shown}.name`)}</h2>
        <Explained id={shown} />
      </article>
    </Split>
  )
}

/** `isBeside`: the terms lead to their texts, which are beside the list. */
function Terms({ asked, isBeside = false }: { readonly asked: string | null; readonly isBeside?: boolean }) {
  const { t } = useTranslation()
  const [query, setQuery] = useState('')
  const found = matching(query, (id) => [t(`terms.of.${id}.name`), t(`terms.of.${id}.text`)])
  const groups = (Object.keys(termGroups) as TermGroup[]).map((group) => ({
    group,
    terms: found.filter((id) => (termGroups[group] as readonly TermId[]).includes(id)),
  }))
  return (
    <>
      <PageHeader title={t('terms.page.title')} />
      <div className="flex flex-col gap-5 pb-10">
        <p className="px-4 text-15 text-pretty text-fg2">{t('terms.page.lead')}</p>
        <div className="px-4">
          <SearchField value={query} onChange={setQuery} label={t('terms.page.search')} clear={t('terms.page.clear')} />
        </div>
        <p role="status" className="sr-only">
          {t('terms.page.found', { count: found.length, all: termIds.length })}
        </p>
        {found.length === 0 && <Empty text={t('terms.page.none')} />}
        {groups
          .filter(({ terms }) => terms.length > 0)
          .map(({ group, terms }) => (
            <section key={group} className="flex flex-col gap-1 px-4">
              <h2 className="text-17 font-semibold">{t(`terms.page.groups.${group}`)}</h2>
              {terms.map((id) =>
                isBeside ? <TermLink key={id} id={id} isShown={id === asked} /> : <Row key={id} id={id} isAsked={id === asked} />,
              )}
            </section>
          ))}
        <Rows>
          <LinkRow to="/proof" title={t('terms.page.toProof')} />
        </Rows>
      </div>
    </>
  )
}

/** A term, closed until it is tapped; the one of the address is open and in sight. */
function Row({ id, isAsked }: { readonly id: TermId; readonly isAsked: boolean }) {
  const { t } = useTranslation()
  const [isOpen, setIsOpen] = useState(isAsked)
  const ref = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    if (!isAsked) return
    setIsOpen(true)
    ref.current?.scrollIntoView({ block: 'center' })
  }, [isAsked])
  return (
    <details ref={ref} open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)} className="border-b border-line">
      <summary className="min-h-11 py-2.5 text-15 font-medium">{t(`terms.of.${id}.name`)}</summary>
      <div className="pb-4">{isOpen && <Explained id={id} />}</div>
    </details>
  )
}

function TermLink({ id, isShown }: { readonly id: TermId; readonly isShown: boolean }) {
  const { t } = useTranslation()
  return (
    <a
      href={`#/help?term=${id}`}
      aria-current={isShown ? true : undefined}
      className="-mx-4 flex min-h-11 items-center border-b border-line px-4 text-15 font-medium"
    >
      {t(`terms.of.${id}.name`)}
    </a>
  )
}
