namespace Transfer.S3.Server.Storage.Folder;

/// <summary>Loads what an earlier server stored, and removes files that no record refers to: those of requests that didn't complete.</summary>
internal sealed class FolderLoader(FolderLayout layout, FolderBlobStore store, ICatalogJournal journal, ServerStatistics statistics)
{
    private readonly Dictionary<string, FolderBlob> _blobs = new(StringComparer.Ordinal);

    public IReadOnlyList<Bucket> Load()
    {
        foreach (string file in Directory.EnumerateFiles(layout.Staging))
        {
            File.Delete(file);
        }

        var buckets = new List<Bucket>();
        foreach (string folder in Directory.EnumerateDirectories(layout.Buckets))
        {
            if (LoadBucket(Path.GetFileName(folder)) is Bucket bucket)
            {
                buckets.Add(bucket);
            }
        }

        RemoveUnreferenced();
        return buckets;
    }

    private Bucket? LoadBucket(string name)
    {
        string path = layout.BucketRecord(name);
        if (!File.Exists(path))
        {
            Directory.Delete(layout.Bucket(name), recursive: true);
            return null;
        }

        BucketRecord record = RecordFile.Read(path, RecordJson.Default.BucketRecord);
        var bucket = new Bucket(name, record.Created, journal, statistics, record.Settings);
        foreach (string file in Directory.EnumerateFiles(layout.Objects(name)))
        {
            ObjectRecord value = RecordFile.Read(file, RecordJson.Default.ObjectRecord);
            ThrowIfElsewhere(file, layout.ObjectRecord(name, value.Key));
            bucket.Restore(value.Restore(Restore(file, value.Content)));
        }

        foreach (string folder in Directory.EnumerateDirectories(layout.Uploads(name)))
        {
            LoadUpload(bucket, Path.GetFileName(folder));
        }

        return bucket;
    }

    private void LoadUpload(Bucket bucket, string uploadId)
    {
        string path = layout.UploadRecord(bucket.Name, uploadId);
        if (!File.Exists(path))
        {
            Directory.Delete(layout.Upload(bucket.Name, uploadId), recursive: true);
            return;
        }

        MultipartUpload upload = RecordFile.Read(path, RecordJson.Default.UploadRecord).Restore();
        ThrowIfElsewhere(path, layout.UploadRecord(bucket.Name, upload.UploadId));
        foreach (string file in Directory.EnumerateFiles(layout.Upload(bucket.Name, uploadId)).Where(FolderLayout.IsPartRecord))
        {
            PartRecord part = RecordFile.Read(file, RecordJson.Default.PartRecord);
            ThrowIfElsewhere(file, layout.PartRecord(bucket.Name, uploadId, part.Number));
            upload.Restore(part.Restore(Restore(file, part.Content)));
        }

        bucket.Restore(upload);
    }

    /// <summary>Rejects a record in the wrong file. Deleting the object wouldn't delete it, and there could be two records of the object.</summary>
    private static void ThrowIfElsewhere(string path, string expected)
    {
        if (path != expected)
        {
            throw new InvalidDataException($"{path} is a record that belongs in {expected}.");
        }
    }

    private Content Restore(string record, SliceRecord[] slices) =>
        Content.Adopt(Array.ConvertAll(slices, slice => new BlobSlice(Hold(record, slice), slice.Offset, slice.Length)));

    private FolderBlob Hold(string record, SliceRecord slice)
    {
        if (_blobs.TryGetValue(slice.File, out FolderBlob? blob))
        {
            blob.AddReference();
        }
        else
        {
            var file = new FileInfo(layout.DataFile(slice.File));
            blob = new FolderBlob(store, slice.File, file.Exists ? file.Length : 0);
            _blobs.Add(slice.File, blob);
        }

        return slice.Offset + slice.Length <= blob.Length
            ? blob
            : throw new InvalidDataException($"{record} refers to bytes of data file {slice.File} that do not exist.");
    }

    private void RemoveUnreferenced()
    {
        foreach (string file in Directory.EnumerateFiles(layout.Data, "*", SearchOption.AllDirectories))
        {
            if (!_blobs.ContainsKey(Path.GetFileName(file)))
            {
                File.Delete(file);
            }
        }
    }
}
