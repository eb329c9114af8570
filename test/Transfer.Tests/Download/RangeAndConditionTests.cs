using Amazon.S3.Model;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Download;

/// <summary>Ranges and conditions on stores that don't implement them correctly, and on connections that fail.</summary>
public sealed class RangeAndConditionTests : TransferTest
{
    private const int Part = 64 * 1024;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Range_ConnectionIsClosed_ContinuesAfterTheLastByte(bool suffix)
    {
        byte[] content = S3.Put(5 * Part);
        S3.Body = (call, bytes) => new ScriptedStream(bytes)
        {
            CueAt = 100,
            Cue = call.First == (2 * Part) - 1 ? ScriptedStream.Throw(new IOException("reset")) : null,
        };
        ObjectRange range = suffix ? ObjectRange.Last((3 * Part) + 1) : ObjectRange.From((2 * Part) - 1, (3 * Part) + 1);
        MemoryStream target = new();

        DownloadResult result = await NewClient().DownloadAsync(FakeS3.Bucket, FakeS3.Key, target, new DownloadOptions { Range = range }).Within();

        Assert.Equal(content[((2 * Part) - 1)..], target.ToArray());
        Assert.Equal(1, result.Statistics.Retries);
        Assert.Contains(S3.Gets, call => call.First == (2 * Part) - 1 + 100 && call.IfMatch is not null);
        Assert.Equal((3 * Part) + 1, result.Statistics.BytesTransferred);
    }

    [Fact]
    public async Task Range_ObjectReplacedMeanwhile_Throws()
    {
        S3.Put(5 * Part);
        S3.Before = (call, _) =>
        {
            if (call.First > 1000)
            {
                S3.Objects[FakeS3.Key] = new FakeObject(Sample.Bytes(5 * Part, seed: 2), "\"another\"");
            }

            return Task.CompletedTask;
        };

        TransferException e = await Assert.ThrowsErrorAsync(TransferError.ObjectChanged, () => NewClient().DownloadAsync(
            FakeS3.Bucket, FakeS3.Key, new MemoryStream(), new DownloadOptions { Range = ObjectRange.From(1000) }).Within());

        Assert.Contains(e.RangeOffset!.Value, Enumerable.Range(1, 4).Select(i => 1000L + (i * Part)));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(Part)]
    public async Task Range_StoreIgnoresRanges_ThrowsAndReturnsNoOtherBytes(int offset)
    {
        S3.Put(5 * Part);
        S3.IgnoresRanges = true;

        foreach (ObjectHint? hint in (ObjectHint?[])[null, new ObjectHint { Length = 5 * Part }])
        {
            TransferException e = await Assert.ThrowsAsync<TransferException>(() => NewClient().DownloadAsync(
                FakeS3.Bucket, FakeS3.Key, Folder.File("target"), new DownloadOptions { Range = ObjectRange.From(offset, 2 * Part), Hint = hint }).Within());

            Assert.Contains("ignored the range", e.Message, StringComparison.Ordinal);
        }

        Assert.Empty(Folder.Files);
    }

    [Fact]
    public async Task IfMatch_StoreIgnoresIt_IsCheckedByTheClient()
    {
        S3.Put(3 * Part);
        S3.Answer = (_, answer) => answer.ETag = "\"another\"";
        string etag = S3.Objects[FakeS3.Key].ETag!;

        await Assert.ThrowsErrorAsync(TransferError.PreconditionFailed, () => NewClient().OpenReadAsync(
            FakeS3.Bucket, FakeS3.Key, new DownloadOptions { IfMatch = etag }).Within());
    }

    [Fact]
    public async Task Conditions_WithAHint_OtherPartsWaitForTheFirstResponse()
    {
        S3.Put(4 * Part);
        Gate gate = new();
        S3.Before = (call, token) => call.First == 0 ? gate.PassAsync(token) : Task.CompletedTask;
        Task<ObjectReadStream> opening = NewClient().OpenReadAsync(
            FakeS3.Bucket, FakeS3.Key, new DownloadOptions { Hint = new ObjectHint { Length = 4 * Part, ETag = S3.Objects[FakeS3.Key].ETag }, IfNoneMatch = "another" });

        await gate.Reached;
        Assert.Equal("\"another\"", ((GetObjectRequest)Assert.Single(S3.Calls).Request!).EtagToNotMatch);
        gate.Open();
        await using ObjectReadStream stream = await opening.Within();
        await OrderedDownloadTests.ReadAllAsync(stream);
        Assert.True(stream.Verdict!.IsVerified);
        Assert.All(S3.Gets.Skip(1), call => Assert.Null(((GetObjectRequest)call.Request!).EtagToNotMatch));
    }
}
