using Amazon.S3.Model;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Tests.Sync;

namespace Transfer.S3.Tests.Jobs;

/// <summary>A job with one object of five parts, in three pieces, and a small one beside it.</summary>
internal sealed class HugePair : IDisposable
{
    public const string Name = "huge";
    public const long Length = (21 * MiB) + 5;
    public const int Pieces = 3;
    private const long MiB = 1024 * 1024;
    private static readonly byte[] Content = Sample.Bytes(Length);

    public HugePair(SyncDirection direction, Func<FakeS3, TransferClient> newClient, bool isFolderLocal = false)
    {
        Jobs = new JobPair(direction, newClient, isFolderLocal);
        Jobs.Sides.Store.HasManyUploads = Jobs.Store.HasManyUploads = true;
        Put(Content);
        Jobs.Sides.SetSource(new Dictionary<string, string> { ["small"] = "s" });
    }

    public JobPair Jobs { get; }

    public FakeS3 Store => Jobs.Store;

    public static JobOptions Options => new()
    {
        Shards = 3,
        SplitBytes = 20 * MiB,
        Transfer = new DirectoryOptions { Copy = new CopyOptions { PartSizeBytes = 5 * MiB } },
    };

    public static string Key => SyncPair.TargetPrefix + Name;

    /// <summary>Gets the target as it was written: the same content that was written again is another object.</summary>
    public FakeObject? Target => Store.Objects.GetValueOrDefault(Key);

    /// <summary>Plans the job and runs all of its shards.</summary>
    public async Task<List<JobShardResult>> PlanAndRunAsync() => await Jobs.RunAllAsync(await Jobs.PlanAsync(Options));

    /// <summary>Writes the source.</summary>
    public void Put(byte[] content)
    {
        if (Jobs.Sides.HasLocalSource)
        {
            File.WriteAllBytes(Jobs.Sides.Folder.File(Name), content);
        }
        else
        {
            Jobs.Sides.Store.Put(SyncPair.SourcePrefix + Name, content);
        }
    }

    /// <summary>Writes a source of the same size after the plan.</summary>
    public void ChangeSource()
    {
        Put(Sample.Bytes(Length, seed: 2));
        if (Jobs.Sides.HasLocalSource)
        {
            File.SetLastWriteTimeUtc(Jobs.Sides.Folder.File(Name), DateTime.UnixEpoch);
        }
    }

    public void ExpectWhole()
    {
        ExpectContent();
        ExpectNoUpload();
    }

    public void ExpectContent() => Assert.True(Content.AsSpan().SequenceEqual(Target?.Content), $"the target has {Target?.Content.Length} bytes");

    /// <summary>
    /// A worker that is killed before it has written the ID of an upload leaves it, and the end of the job counts it. The ID of the upload of a huge object is written
    /// before any part is sent.
    /// </summary>
    public void ExpectNoPartIsOpen(JobSummary summary)
    {
        Assert.Equal(Store.Unfinished.DistinctBy(upload => upload.Key).Count(), summary.OtherUploads);
        Assert.All(Store.Unfinished.Where(upload => upload.Key == Key), upload => Assert.DoesNotContain(
            Store.Calls, call => (call.Request as UploadPartRequest)?.UploadId == upload.UploadId || (call.Request as CopyPartRequest)?.UploadId == upload.UploadId));
    }

    public void ExpectNoUpload()
    {
        Assert.False(Store.HasOpenUpload);
        Assert.Empty(Store.Unfinished);
    }

    public void PutTarget(bool isSame) => Store.Put(Key, isSame ? Content : Sample.Bytes(Length, seed: 3));

    public void Dispose() => Jobs.Dispose();
}
