/** The risk flags of a request: as labels, and as sentences. */
import { withdrawals as words } from '../../app/coin-texts.ts'
import type { Flag, WithdrawalDetail } from '@candor/core/protocol/wire/console/withdrawals.ts'
import type { ReactNode } from 'react'
import { ageOf, amountOf } from '../../app/format.ts'
import { Address } from '../../parts/address.tsx'
import { Badge, Card } from '../../parts/ui.tsx'

const shownMax = 2

const tone = ({ isHeavy, kind }: Flag) => (kind === 'debt' || kind === 'look-alike' ? 'danger' : isHeavy ? 'warn' : 'plain')

export function FlagBadges({ flags }: { readonly flags: readonly Flag[] | null }): ReactNode {
  if (flags === null) return <span className="fg3">{words.notYet}</span>
  if (flags.length === 0) return <span className="fg3">{words.noFlags}</span>
  return (
    <span className="line wrap tight">
      {flags.slice(0, shownMax).map((flag, at) => (
        <Badge key={at} tone={tone(flag)}>
          {words.kinds[flag.kind]}
        </Badge>
      ))}
      {flags.length > shownMax && <span className="fg3 small">{words.moreFlags(flags.length - shownMax)}</span>}
    </span>
  )
}

export function FlagsCard({ of: { flags, requestedAt, asset, address } }: { readonly of: WithdrawalDetail }): ReactNode {
  return (
    <Card title={words.flags}>
      {flags === null || flags.length === 0 ? (
        <p className="card-body fg2">{flags === null ? words.notYet : words.noFlagsText}</p>
      ) : (
        <ul className="flag-rows">
          {flags.map((flag, at) => (
            <li key={at}>
              <Badge tone={tone(flag)}>{words.kinds[flag.kind]}</Badge>
              <span className="grow">{sentenceOf(flag, { asked: requestedAt, asset, address })}</span>
              {!flag.isHeavy && <span className="fg3 small">{words.light}</span>}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

type About = { readonly asked: number; readonly asset: string; readonly address: string | null }

function sentenceOf({ kind, at, what = '', amount = '', asset = '', address, uids = [] }: Flag, about: About): ReactNode {
  const texts = words.flagText
  const age = ageOf(about.asked - (at ?? about.asked))
  const compared = `${amountOf(amount)} ${about.asset}`
  switch (kind) {
    case 'debt':
      return texts.debt(asset, amountOf(amount))
    case 'look-alike':
      return (
        <>
          {texts.lookAlike}{' '}
          {address !== undefined && <Address of={address} {...(about.address === null ? {} : { unlike: about.address })} />}
        </>
      )
    case 'shared-address':
      return texts.shared(uids.join(', '))
    case 'reopened':
    case 'protection':
      return texts.change(what, age)
    case 'new-device':
      return texts.device(age)
    case 'new-account':
      return texts.newAccount(age)
    case 'new-address':
      return what === 'new' ? texts.newAddress(age) : texts.unpaid
    case 'unusual':
      if (what === 'day') return texts.day(compared)
      return what === 'largest' ? texts.largest(compared) : texts.all(compared)
    case 'unfinal':
      return texts.unfinal
  }
}
