/** A table of all terms of a kind, with an input beside each; below it the changes in words, the effect and the reason. */
import { differences, type TermField, type TermKind, type Terms, type TermUnit } from '@candor/core/protocol/wire/changes.ts'
import { Plus, X } from 'lucide-react'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { change } from '../../app/client.ts'
import { t } from '../../app/texts.ts'
import { say } from '../../parts/dialog.tsx'
import { Choice } from '../../parts/fields.tsx'
import { Button, Card, FaultNote, useWork } from '../../parts/ui.tsx'
import { Differences } from './differences.tsx'
import { readAgain } from './queries.ts'
import {
  columnName,
  type Draft,
  draftOfGiven,
  draftOfTerms,
  type DraftRow,
  emptyRow,
  fieldsOf,
  grouped,
  linesOf,
  nameOf,
  readDraft,
  unitOf,
} from './values.ts'
import type { Area, Payment } from './wire.ts'

export const reasonMax = 120
/** The form of a reason: printable ASCII, which the core stores with the command. */
export const reasonForm = /^[\x20-\x7e]*[\x21-\x7e][\x20-\x7e]*$/

type TermsFormProps = {
  readonly title: string
  readonly area: Area
  readonly kind: TermKind
  /** Null: of a new market, whose symbol is among its terms. */
  readonly subject: string | null
  /** Null for a new market. */
  readonly now: Terms | null
  readonly start: Terms
  readonly assets: readonly string[]
  readonly reasonLabel?: string
  /** Values that are known already; they are shown and can't be typed. */
  readonly given?: Terms
  /** More of the wish, and what is said about it. */
  readonly payment?: Payment | undefined
  /** Why terms can't be proposed, in words. */
  readonly problemsOf?: ((terms: Terms) => readonly string[]) | undefined
  readonly children?: ReactNode
  readonly onDone?: () => void
}

export function TermsForm({
  title,
  area,
  kind,
  subject,
  now,
  start,
  assets,
  reasonLabel,
  given = {},
  payment,
  problemsOf,
  children,
  onDone,
}: TermsFormProps): ReactNode {
  const [draft, setDraft] = useState<Draft>(() => draftOfTerms(kind, start))
  const [reason, setReason] = useState('')
  const { terms, wrong } = readDraft(kind, { ...draft, ...draftOfGiven(kind, given) })
  const found = wrong.size === 0 ? differences(kind, now, terms) : []
  const count = found.length + (payment === undefined ? 0 : 1)
  const problems = wrong.size === 0 ? (problemsOf?.(terms) ?? []) : []
  const isReady = wrong.size === 0 && problems.length === 0 && count > 0 && reasonForm.test(reason)
  const { isBusy, fault, run, clear } = useWork(async () => {
    const wish = { kind, subject: subject ?? String(terms['symbol']), terms, reason: reason.trim() }
    await change('POST', `/terms/${area}`, payment === undefined ? wish : { ...wish, payment })
    await readAgain()
  })
  const reset = (): void => {
    setDraft(draftOfTerms(kind, start))
    setReason('')
    clear()
  }
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (!(await run())) return
    say(t.terms.proposedDone)
    reset()
    onDone?.()
  }
  return (
    <form onSubmit={submit} className="stack" noValidate>
      <Card title={title}>
        <table className="table terms" aria-label={title}>
          <thead>
            <tr>
              <th scope="col">{t.terms.field}</th>
              {now !== null && <th scope="col">{t.terms.now}</th>}
              <th scope="col">{t.terms.new}</th>
            </tr>
          </thead>
          <tbody>
            {fieldsOf(kind).map(([name, field]) => (
              <tr key={name} data-chosen={found.some((one) => one.name === name) ? '' : undefined}>
                <th scope="row">{nameOf(name)}</th>
                {now !== null && <td className="tn fg2">{lines(linesOf(field, now[name]!, assets))}</td>}
                <td>
                  {given[name] === undefined ? (
                    <Input
                      {...{ name, field, assets, wrong }}
                      value={draft[name]!}
                      onValue={(value) => setDraft({ ...draft, [name]: value })}
                    />
                  ) : (
                    <span className="tn">{lines(linesOf(field, given[name], assets))}</span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Card>
      {children}
      <Card title={count === 0 ? t.terms.unchanged : t.terms.changes(count)}>
        <div className="card-body stack">
          {found.length > 0 && <Differences kind={kind} assets={assets} differences={found} />}
          {problems.length > 0 && (
            <div className="fault" role="alert">
              <ul>
                {problems.map((text) => (
                  <li key={text}>{text}</li>
                ))}
              </ul>
            </div>
          )}
          {payment !== undefined && <p className="tn">{t.terms.paid(grouped(payment.amount))}</p>}
          <p>{t.terms.effects[kind]}</p>
          <p className="fg2">{t.terms.fourEyes}</p>
          <Reason label={reasonLabel ?? t.terms.reason} value={reason} onText={setReason} />
          <FaultNote cause={fault} />
          <div className="line">
            <Button type="submit" look="filled" disabled={!isReady || isBusy}>
              {t.terms.submit}
            </Button>
            <Button look="quiet" onClick={reset}>
              {t.terms.reset}
            </Button>
          </div>
        </div>
      </Card>
    </form>
  )
}

export function Reason({
  label,
  value,
  onText,
}: {
  readonly label: string
  readonly value: string
  readonly onText: (text: string) => void
}) {
  const id = useId()
  const isWrong = value !== '' && !reasonForm.test(value)
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="input"
        required
        maxLength={reasonMax}
        value={value}
        aria-invalid={isWrong}
        aria-describedby={`${id}-help`}
        onChange={({ target }) => onText(target.value)}
      />
      <span id={`${id}-help`} className="help">
        {t.terms.reasonHelp}
      </span>
    </div>
  )
}

const lines = (all: readonly string[]): ReactNode => all.map((line, at) => <div key={at}>{line}</div>)

type InputProps = {
  readonly name: string
  readonly field: TermField
  readonly assets: readonly string[]
  readonly wrong: ReadonlySet<string>
  readonly value: string | readonly DraftRow[]
  readonly onValue: (value: string | readonly DraftRow[]) => void
}

function Input({ name, field, assets, wrong, value, onValue }: InputProps): ReactNode {
  if (typeof value === 'string')
    return <Cell label={nameOf(name)} unit={field as TermUnit} {...{ assets, value, onValue }} isWrong={wrong.has(name)} />
  const columns = Object.entries(field as Readonly<Record<string, TermUnit>>)
  return (
    <div className="stack tight">
      {value.map((row, at) => (
        <div key={at} className="line">
          {columns.map(([column, unit]) => (
            <Cell
              key={column}
              label={t.terms.cell(nameOf(name), columnName(column), at + 1)}
              {...{ unit, assets }}
              hint={columnName(column)}
              value={row[column]!}
              isWrong={wrong.has(`${name}.${at}.${column}`)}
              onValue={(text) => onValue(value.map((one, other) => (other === at ? { ...one, [column]: text } : one)))}
            />
          ))}
          <button
            type="button"
            className="icon-button"
            aria-label={t.terms.removeRow(at + 1)}
            onClick={() => onValue(value.filter((_, other) => other !== at))}
          >
            <X size={14} aria-hidden="true" />
          </button>
        </div>
      ))}
      <div>
        <Button size="small" look="quiet" onClick={() => onValue([...value, emptyRow(field)])}>
          <Plus size={13} aria-hidden="true" />
          {t.terms.addRow}
        </Button>
      </div>
    </div>
  )
}

/** Units whose text is more than a number. */
const typed: ReadonlySet<TermUnit> = new Set(['name', 'asset', 'market', 'region', 'time'])

type CellProps = {
  readonly label: string
  readonly unit: TermUnit
  readonly assets: readonly string[]
  readonly value: string
  readonly isWrong: boolean
  readonly hint?: string
  readonly onValue: (value: string) => void
}

function Cell({ label, unit, assets, value, isWrong, hint, onValue }: CellProps): ReactNode {
  if (unit === 'flag')
    return (
      <Choice
        label={label}
        isBare
        value={value}
        options={[
          { value: 'on', label: t.terms.on },
          { value: 'off', label: t.terms.off },
        ]}
        onChoose={onValue}
      />
    )
  if (unit === 'release')
    return (
      <Choice
        label={label}
        isBare
        value={value}
        options={Object.entries(t.terms.releases).map(([kind, name]) => ({ value: kind, label: name }))}
        onChoose={onValue}
      />
    )
  const suffix = unitOf(unit, assets)
  return (
    <span className="amount">
      <input
        className="input tn"
        aria-label={label}
        placeholder={hint}
        inputMode={typed.has(unit) ? 'text' : 'decimal'}
        autoComplete="off"
        value={value}
        aria-invalid={isWrong}
        title={isWrong ? t.terms.wrong : hint}
        onChange={({ target }) => onValue(target.value)}
      />
      {suffix !== '' && <span className="fg3">{suffix}</span>}
    </span>
  )
}
