/** The texts of a presale in all languages, which are kept together under one hash. */
import { type LocaleCode, localeCodes } from '@candor/core/protocol/locales.ts'
import { type PresaleDetails, presaleTextFields, presaleTextMax, presaleTitleMax } from '@candor/core/protocol/wire/console/presale.ts'
import { type ReactNode, useId, useState } from 'react'
import { languageOf } from '../../app/format.ts'
import { t } from '../../app/texts.ts'
import { Choice, TextField } from '../../parts/fields.tsx'
import { Button, Card, FaultNote, useWork } from '../../parts/ui.tsx'
import { Languages } from './named.tsx'
import { begunIn, completeIn, detailsOf, type TextsDraft } from './texts.ts'

type TextsFormProps = {
  readonly draft: TextsDraft
  readonly isKept: boolean
  /** Symbols that a new presale can sell; undefined for a presale, which keeps its token. */
  readonly tokens: readonly string[] | undefined
  readonly onDraft: (draft: TextsDraft) => void
  readonly onKeep: (details: PresaleDetails) => Promise<void>
}

export function TextsForm({ draft, isKept, tokens, onDraft, onKeep }: TextsFormProps): ReactNode {
  const [lang, setLang] = useState<LocaleCode>('en')
  const { isBusy, fault, run } = useWork(onKeep)
  const details = detailsOf(draft)
  const set = (part: Partial<TextsDraft>): void => onDraft({ ...draft, ...part })
  return (
    <Card title={t.presales.texts}>
      <div className="card-body stack">
        <p className="fg2">{t.presales.textsText}</p>
        <Token {...{ draft, tokens, set }} />
        <Languages {...{ lang, langs: localeCodes, done: completeIn(draft) }} onChoose={setLang} />
        {presaleTextFields.map((field) => (
          <TextArea
            key={`${lang}-${field}`}
            label={t.presales.fields[field]}
            lang={lang}
            isLine={field === 'title'}
            value={draft.texts[lang][field]}
            onText={(text) => set({ texts: { ...draft.texts, [lang]: { ...draft.texts[lang], [field]: text } } })}
          />
        ))}
        <p className="fg2" role="status">
          {isKept ? t.presales.isKept : wordsOf(draft, details)}
        </p>
        <FaultNote cause={fault} />
        <div>
          <Button look="filled" disabled={isBusy || isKept || details === undefined} onClick={() => void (details && run(details))}>
            {t.presales.keep}
          </Button>
        </div>
      </div>
    </Card>
  )
}

/** What is still missing, or which languages are written. */
function wordsOf(draft: TextsDraft, details: PresaleDetails | undefined): string {
  const begun = begunIn(draft)
  if (begun.length > 0) return t.presales.missing(begun.map(languageOf).join(', '))
  return details === undefined ? t.presales.incomplete : t.presales.complete(completeIn(draft).map(languageOf).join(', '))
}

type TokenProps = Pick<TextsFormProps, 'draft' | 'tokens'> & { readonly set: (part: Partial<TextsDraft>) => void }

function Token({ draft, tokens, set }: TokenProps): ReactNode {
  const { token, name, totalSupply, hasContract, network, address } = draft
  const contracts = [
    { value: 'none', label: t.presales.contracts.none },
    { value: 'on', label: t.presales.contracts.on },
  ]
  return (
    <>
      <div className="line pair">
        {tokens === undefined ? (
          <TextField label={t.presales.token} value={token} readOnly onText={() => undefined} />
        ) : (
          <Choice
            label={t.presales.token}
            value={token}
            options={tokens.map((value) => ({ value, label: value }))}
            onChoose={(value) => set({ token: value })}
          />
        )}
        <TextField label={t.presales.name} maxLength={100} value={name} onText={(text) => set({ name: text })} />
        <TextField label={t.presales.totalSupply} inputMode="decimal" value={totalSupply} onText={(text) => set({ totalSupply: text })} />
      </div>
      <p className="help">{t.presales.tokenHelp}</p>
      <div className="line pair">
        <Choice
          label={t.presales.hasContract}
          value={hasContract ? 'on' : 'none'}
          options={contracts}
          onChoose={(value) => set({ hasContract: value === 'on' })}
        />
        {hasContract && (
          <>
            <TextField label={t.presales.network} maxLength={100} value={network} onText={(text) => set({ network: text })} />
            <TextField label={t.presales.address} maxLength={100} value={address} onText={(text) => set({ address: text })} />
          </>
        )}
      </div>
    </>
  )
}

type TextAreaProps = {
  readonly label: string
  readonly lang: LocaleCode
  readonly isLine: boolean
  readonly value: string
  readonly onText: (text: string) => void
}

function TextArea({ label, lang, isLine, value, onText }: TextAreaProps): ReactNode {
  const id = useId()
  if (isLine) return <TextField label={label} lang={lang} maxLength={presaleTitleMax} value={value} onText={onText} />
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        className="input"
        rows={3}
        lang={lang}
        maxLength={presaleTextMax}
        value={value}
        onChange={({ target }) => onText(target.value)}
      />
    </div>
  )
}
