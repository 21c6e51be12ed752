import { queryOptions } from '@tanstack/react-query'
import { read } from '../../app/client.ts'
import type { Announcement } from './wire.ts'

export const announcementsQuery = queryOptions({
  queryKey: ['announcements'],
  queryFn: async () => (await read<{ readonly announcements: readonly Announcement[] }>('/announcements')).announcements,
})
