import type { Treasury } from '@candor/core/protocol/wire/console/treasury.ts'
import { queryOptions } from '@tanstack/react-query'
import { read } from '../../app/client.ts'
import { againMs } from '../../parts/watching.tsx'

export const treasuryQuery = queryOptions({
  queryKey: ['treasury'],
  queryFn: () => read<Treasury>('/treasury'),
  refetchInterval: againMs,
})
