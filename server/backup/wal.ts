import { BackupFault } from './fault.ts'

/** A position in the write-ahead log, as PostgreSQL prints it ("2/16B3748"), in bytes. Safe integers reach 8 PiB of log. */
export function positionOf(text: string): number {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/.exec(text) ?? []
  const position = Number.parseInt(high ?? '', 16) * 2 ** 32 + Number.parseInt(low ?? '', 16)
  if (!Number.isSafeInteger(position)) throw new BackupFault(`${text} is no position in the write-ahead log`)
  return position
}

export const positionText = (position: number): string =>
  `${Math.floor(position / 2 ** 32).toString(16)}/${(position % 2 ** 32).toString(16)}`.toUpperCase()

/** The number of the segment that has the byte before this position. */
export const segmentBefore = (position: number, segmentBytes: number): number => Math.floor((position - 1) / segmentBytes)

/** The file name of a segment. */
export function segmentName(timeline: number, segment: number, segmentBytes: number): string {
  const perFile = 2 ** 32 / segmentBytes
  return [timeline, Math.floor(segment / perFile), segment % perFile]
    .map((part) => part.toString(16).toUpperCase().padStart(8, '0'))
    .join('')
}
