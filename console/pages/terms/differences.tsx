/** Old and new values of a decision. */
import type { TermDifference, TermKind } from '@candor/core/protocol/wire/changes.ts'
import { ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '../../app/texts.ts'
import { Named } from '../presales/named.tsx'
import { fieldOf, linesOf, nameOf } from './values.ts'

type DifferencesProps = { readonly kind: TermKind; readonly assets: readonly string[]; readonly differences: readonly TermDifference[] }

export function Differences({ kind, assets, differences }: DifferencesProps): ReactNode {
  return (
    <dl className="differences">
      {differences.map((one) => {
        const field = fieldOf(kind, one)
        return (
          <div key={one.name}>
            <dt>{nameOf(one.name)}</dt>
            <dd className="tn">
              {one.before !== null && (
                <>
                  <span className="fg2">
                    <span className="hidden-text">{t.terms.before} </span>
                    {lines(linesOf(field, one.before, assets))}
                  </span>
                  <ArrowRight size={13} aria-hidden="true" />
                </>
              )}
              <b>
                <span className="hidden-text">{t.terms.after} </span>
                {field === 'hash' && one.after !== '' ? (
                  <Named name={one.name} hash={one.after as string} />
                ) : (
                  lines(linesOf(field, one.after, assets))
                )}
              </b>
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

const lines = (all: readonly string[]): ReactNode => all.map((line, at) => <span key={at}>{line}</span>)
