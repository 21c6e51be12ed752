import { bind } from '@candor/client/bind.ts'
import * as column from '@candor/client/column/margin.ts'
import { http } from '../../app/client.ts'

/** The routes of margin accounts and lending, loaded with the screens that need them. */
export const margin = bind(column, http)
