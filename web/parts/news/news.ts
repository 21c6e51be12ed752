/** Announcements in the shown language. */
import type { Lang } from '@candor/core/protocol/locales.ts'
import { bind } from '@candor/client/bind.ts'
import * as column from '@candor/client/column/news.ts'
import { http } from '../../app/client.ts'

export const news = bind(column, http)
export const announcementsQuery = (lang: Lang) => ['announcements', lang] as const
export const newestQuery = (lang: Lang) => ['announcements', lang, 'newest'] as const
