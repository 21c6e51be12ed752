import { bind } from '@candor/client/bind.ts'
import * as column from '@candor/client/column/growth/referral.ts'
import { http } from '../../app/client.ts'

/** The routes of referral, loaded with their screen. */
export const referral = bind(column, http)
