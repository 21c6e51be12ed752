import { bind } from '@candor/client/bind.ts'
import * as column from '@candor/client/column/perp-desk.ts'
import { http } from '../../app/client.ts'

/** The routes that a perp desk calls at its start. */
export const perpDesk = bind(column, http)
