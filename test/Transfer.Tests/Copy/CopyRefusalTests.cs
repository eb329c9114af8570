using System.Net;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Copy;

/// <summary>Copies whose condition on the source is not met.</summary>
public sealed class CopyRefusalTests : TransferTest
{
    private const int Part = 5 * 1024 * 1024;

    /// <summary>OpenStack Swift can't copy an object that was uploaded in parts, and returns status 412.</summary>
    [Theory]
    [InlineData(10)]
    [InlineData((3 * Part) + 1)]
    public async Task SourceIsUnchanged_StoreCannotCopyIt(int length)
    {
        S3.Put("source", length);
        S3.Before = (call, _) => IsCopy(call) ? throw FakeS3.Error(HttpStatusCode.PreconditionFailed, "PreconditionFailed") : Task.CompletedTask;

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => CopyAsync());

        Assert.Contains("the store can't copy this object", e.Message, StringComparison.Ordinal);
        Assert.EachEqual(("source", HttpStatusCode.PreconditionFailed), (e.Key, e.StatusCode));
        Assert.EachEqual((2, false), (S3.GetCount(S3Call.Head), S3.HasOpenUpload));
    }

    /// <summary>The status of a copy's condition on its source says nothing about the target, so the copy isn't skipped.</summary>
    [Theory]
    [InlineData(0)]
    [InlineData(10)]
    [InlineData((3 * Part) + 1)]
    public async Task SourceIsUnchanged_OnlyIfAbsent_IsNotSkipped(int length)
    {
        S3.Put("p/source", length);
        S3.Before = (call, _) => IsCopy(call) ? throw FakeS3.Error(HttpStatusCode.PreconditionFailed, "PreconditionFailed") : Task.CompletedTask;

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => NewClient().CopyAsync(
            new(FakeS3.Bucket, "p/source"), new(FakeS3.Bucket, FakeS3.Key), new CopyOptions { Overwrite = false, PartSizeBytes = Part, MultipartThresholdBytes = Part }).Within());
        TransferException ofDirectory = await Assert.ThrowsAsync<TransferException>(() => NewClient().CopyTreeAsync(
            Place.InBucket(FakeS3.Bucket, "p/"), Place.InBucket(FakeS3.Bucket, "q/"), new DirectoryOptions { SkipExisting = true }).Within());

        Assert.All([e, ofDirectory], error => Assert.Contains("the store can't copy this object", error.Message, StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(10)]
    [InlineData((3 * Part) + 1)]
    public async Task SourceWasReplacedOrDeleted_ObjectChanged(int length)
    {
        foreach (bool isDeleted in (bool[])[false, true])
        {
            S3.Put("source", length);
            S3.Before = (call, _) =>
            {
                if (!IsCopy(call))
                {
                    return Task.CompletedTask;
                }

                if (!isDeleted)
                {
                    S3.Objects["source"] = S3.Objects["source"] with { ETag = "\"other\"" };
                }
                else
                {
                    S3.Objects.TryRemove("source", out FakeObject? _);
                }

                throw FakeS3.Error(HttpStatusCode.PreconditionFailed, "PreconditionFailed");
            };

            TransferException e = await Assert.ThrowsErrorAsync(TransferError.ObjectChanged, () => CopyAsync());

            Assert.Equal("source", e.Key);
            Assert.False(S3.HasOpenUpload);
        }
    }

    /// <summary>Without an ETag, a version, and a checksum, the parts of a copy could be parts of different contents.</summary>
    [Theory]
    [InlineData(10, false)]
    [InlineData((3 * Part) + 1, true)]
    public async Task CopyBetweenStores_NothingIdentifiesTheContent_IsRefusedIfItNeedsSeveralRequests(int length, bool isRefused)
    {
        S3.Put("source", length);
        S3.Objects["source"] = S3.Objects["source"] with { ETag = string.Empty };
        TransferClient client = NewClient();

        Task<CopyResult> copy = client.CopyAsync(
            new(FakeS3.Bucket, "source"), client, new(FakeS3.Bucket, FakeS3.Key), new StoreCopyOptions { VerifySource = false, Target = new UploadOptions { PartSizeBytes = Part } }).Within();

        if (isRefused)
        {
            TransferException e = await Assert.ThrowsAsync<TransferException>(() => copy);
            Assert.Contains("no ETag, no version, and no checksum", e.Message, StringComparison.Ordinal);
            Assert.EachEqual((CopySide.Source, false, false), (e.CopySide, S3.HasOpenUpload, S3.Objects.ContainsKey(FakeS3.Key)));
        }
        else
        {
            Assert.Equal(length, (await copy).Statistics.BytesTransferred);
        }
    }

    private static bool IsCopy(S3Call call) => call.Operation is S3Call.Copy or S3Call.CopyPart;

    private Task<CopyResult> CopyAsync()
        => NewClient().CopyAsync(new(FakeS3.Bucket, "source"), new(FakeS3.Bucket, FakeS3.Key), new CopyOptions { PartSizeBytes = Part, MultipartThresholdBytes = Part }).Within();
}
