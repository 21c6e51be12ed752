import { join } from 'node:path'
import { DiskObjects, type Objects } from '../papers/objects.ts'
import { S3Objects } from '../papers/s3-objects.ts'
import { bucketOf } from './photo-place.ts'
import type { Settings } from './settings.ts'

/** The place of encrypted photos: the folder or bucket of the setting, otherwise a folder beside the data. */
export function openObjects({ photos, dataFolder }: Pick<Settings, 'photos' | 'dataFolder'>): Objects {
  const place = photos ?? join(dataFolder, 'photos')
  const bucket = bucketOf(place)
  return bucket === undefined ? new DiskObjects(place) : new S3Objects(bucket)
}
