import { bind } from '@candor/client/bind.ts'
import * as column from '@candor/client/column/perp-desk.ts'
import { http } from '../../app/client.ts'

/** The calls that a perp desk makes at once. */
export const perpDesk = bind(column, http)
