import { bind } from '@candor/client/bind.ts'
import * as column from '@candor/client/column/perp.ts'
import { http } from '../../app/client.ts'

/** The routes of perp, loaded with the screens that need them. */
export const perp = bind(column, http)
