/** Products by country: leverage above 2, and Second. */
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { countries as allCountries } from '@candor/core/protocol/countries.ts'
import { type ReactNode, useState } from 'react'
import { regionOf } from '../../app/format.ts'
import { meQuery } from '../../app/session.ts'
import { t } from '../../app/texts.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Modal } from '../../parts/dialog.tsx'
import { Choice } from '../../parts/fields.tsx'
import { SaveTable } from '../../parts/save-table.tsx'
import { Badge, Button, Card, Failed, Skeleton } from '../../parts/ui.tsx'
import { OpenDecisions } from './decisions.tsx'
import { TermsForm } from './form.tsx'
import { Halt } from './halt.tsx'
import { countriesQuery } from './queries.ts'
import { cellsOfTerms } from './values.ts'
import type { Country } from './wire.ts'

const closed = { isLeverageOpen: false, isSecondOpen: false }
const nameOf = (code: string): string => (code === '*' ? t.terms.everywhere : regionOf(code))

export function CountriesPage(): ReactNode {
  const { data: me } = useSuspenseQuery(meQuery)
  const { data, error, refetch } = useQuery(countriesQuery)
  const [chosen, setChosen] = useState<string>()
  const mayDecide = me?.mayDo.includes('countries.decide') ?? false
  const rest = data?.find(({ subject }) => subject === '*')?.terms ?? closed
  return (
    <div className="page">
      <div className="page-head">
        <h1>{t.terms.countries}</h1>
        {mayDecide && data !== undefined && (
          <Button look="filled" className="button filled push" onClick={() => setChosen('DE')}>
            {t.terms.addCountry}
          </Button>
        )}
      </div>
      <p className="fg2">{t.terms.countriesText}</p>
      <OpenDecisions area="countries" />
      <Card title={t.terms.countries} action={<SaveTable name="countries" rows={data} cells={cellsOf} />}>
        {error && data === undefined ? (
          <Failed cause={error} onRetry={() => void refetch()} />
        ) : data === undefined ? (
          <Skeleton />
        ) : (
          <DataTable
            label={t.terms.countries}
            columns={columnsOf(mayDecide ? setChosen : undefined)}
            rows={data}
            keyOf={({ subject }) => subject}
          />
        )}
      </Card>
      {chosen !== undefined && data !== undefined && (
        <Modal title={t.terms.propose} isBroad onClose={() => setChosen(undefined)}>
          <Choice
            label={t.terms.country}
            value={chosen}
            options={['*', ...allCountries]
              .map((value) => ({ value, label: nameOf(value) }))
              .sort((one, other) => (one.value === '*' ? -1 : other.value === '*' ? 1 : one.label.localeCompare(other.label, 'en')))}
            onChoose={setChosen}
          />
          <TermsForm
            key={chosen}
            title={nameOf(chosen)}
            {...{ area: 'countries', kind: 'country', subject: chosen, assets: [], reasonLabel: t.terms.licence }}
            now={data.find(({ subject }) => subject === chosen)?.terms ?? rest}
            start={data.find(({ subject }) => subject === chosen)?.terms ?? rest}
            onDone={() => setChosen(undefined)}
          />
        </Modal>
      )}
    </div>
  )
}

const cellsOf = ({ subject, terms }: Country): Readonly<Record<string, string>> => ({ country: subject, ...cellsOfTerms(terms) })

function columnsOf(onChoose: ((subject: string) => void) | undefined): readonly Column<Country>[] {
  const product = (id: 'isLeverageOpen' | 'isSecondOpen'): Column<Country> => ({
    id,
    header: t.terms.names[id],
    by: ({ terms }) => (terms[id] === true ? 1 : 0),
    cell: ({ terms }) => <Badge tone={terms[id] === true ? 'ok' : 'plain'}>{terms[id] === true ? t.terms.opened : t.terms.closed}</Badge>,
  })
  const columns: readonly Column<Country>[] = [
    { id: 'country', header: t.terms.country, by: ({ subject }) => nameOf(subject), cell: ({ subject }) => <b>{nameOf(subject)}</b> },
    product('isLeverageOpen'),
    product('isSecondOpen'),
  ]
  if (onChoose === undefined) return columns
  const actions: Column<Country> = {
    id: 'actions',
    header: '',
    isEnd: true,
    cell: ({ subject, terms }) => (
      <span className="line" style={{ justifyContent: 'flex-end' }}>
        <Button size="small" aria-label={`${t.terms.change}: ${nameOf(subject)}`} onClick={() => onChoose(subject)}>
          {t.terms.change}
        </Button>
        {(terms['isLeverageOpen'] === true || terms['isSecondOpen'] === true) && (
          <Halt area="countries" kind="country" subject={subject} name={nameOf(subject)} terms={closed} />
        )}
      </span>
    ),
  }
  return [...columns, actions]
}
