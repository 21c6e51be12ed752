import type { RequestHashes } from '@candor/core/exchange/requests/kept.ts'
import { Requests } from '@candor/core/exchange/requests/requests.ts'
import type { Millis } from '@candor/core/money/brand.ts'
import { encodeCommand } from '@candor/core/protocol/codec/command.ts'
import { BODY, CLIENT_ID } from '@candor/core/protocol/codec/layout.ts'
import { opcodeOf, Records } from '@candor/core/protocol/codec/records.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { OrderId, Seq, UserId } from '@candor/core/protocol/ids.ts'
import type { Outcome } from '@candor/core/protocol/port.ts'
import { type Refusal, refusals } from '@candor/core/protocol/refusal.ts'
import type { RecordedRequest } from '../../store/query/request-blocks.ts'

const refusalOfId = new Map<number, Refusal>(Object.entries(refusals).map(([name, { id }]) => [id, name as Refusal]))

/** The first outcome of a recorded request, as the core would repeat it. A request with another body has reused the client id. */
export function outcomeOf({ bodyLow, bodyHigh, number, refusal, seq, at }: RecordedRequest, hashes: RequestHashes): Outcome {
  const isSame = bodyLow === hashes.bodyLow && bodyHigh === hashes.bodyHigh
  const outcome = {
    ...{ seq: seq as Seq, at: at as Millis, user: 0 as UserId, order: (isSame ? number : 0) as OrderId },
    ...{ refusal: isSame ? refusalOfId.get(refusal) : ('CLIENT_ID_REUSED' as const), isRepeat: isSame },
  }
  return { ...outcome, events: [{ type: 'outcome', ...outcome }] }
}

/** Computes the hashes by which the core and the tables know a request: of its client id and of its body. */
export class CommandHashes {
  readonly #records = new Records()
  /** Used only to compute hashes. */
  readonly #requests = new Requests(
    () => false,
    () => false,
  )

  of(command: Extract<Command, { readonly user: UserId }>): RequestHashes {
    const records = this.#records
    records.clear()
    encodeCommand(command, { seq: 0, at: 0, keyId: 0 }, records)
    return this.#requests.hashes(command.user, records.data, CLIENT_ID, opcodeOf(records.data[0]!), BODY, records.length)
  }
}
