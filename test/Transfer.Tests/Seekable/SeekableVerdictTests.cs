using Transfer.Tests.Infrastructure;
using Transfer.Tests.Integrity;
using Transfer.Tests.Verify;

namespace Transfer.Tests.Seekable;

public sealed class SeekableVerdictTests : TransferTest
{
    private const int MiB = 1024 * 1024;
    private const string TwoParts = "\"0123456789abcdef0123456789abcdef-3\"";

    [Fact]
    public async Task Verdict_EveryByteWasReadInAnyOrder_WholeObjectIsVerified()
    {
        byte[] content = S3.Put((3 * MiB) + 5);
        TransferClient client = NewClient();
        await using SeekableObjectStream stream = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key).Within();
        await ReadAsync(stream, 2 * MiB, MiB + 5, content);
        Assert.Equal((false, true), (stream.Verdict.IsVerified, stream.Verdict.BytesRead > MiB));
        Assert.Null(stream.Verdict.Content);
        Assert.Contains("only a portion", stream.Verdict.Reason, StringComparison.Ordinal);

        await ReadAsync(stream, 0, 2 * MiB, content);

        Assert.Equal(new ReadVerdict { BytesRead = content.Length, BytesVerified = content.Length, Content = stream.Verdict.Content }, stream.Verdict);
        Assert.Equal((true, ChecksumAlgorithm.Crc64Nvme), (stream.Verdict.Content!.IsVerified, stream.Verdict.Content.Algorithm));
        int calls = S3.Calls.Count;
        await ReadAsync(stream, 0, 100, content);
        Assert.Equal(calls, S3.Calls.Count);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Read_ContentDoesNotMatch_ThrowsBeforeTheLastBytes(bool copies)
    {
        S3.Put(3 * MiB);
        S3.Objects[FakeS3.Key] = S3.Objects[FakeS3.Key] with { Crc64Nvme = CrcOf.Crc64Nvme([1, 2, 3]) };
        TransferClient client = NewClient();
        await using SeekableObjectStream stream = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key).Within();
        MemoryStream target = new();

        await Assert.ThrowsAsync<ChecksumMismatchException>(async () =>
        {
            if (copies)
            {
                await stream.CopyToAsync(target).Within();
            }

            await ReadAsync(stream, 0, 3 * MiB, null);
        });

        Assert.InRange(target.Length, 0, (3 * MiB) - 1);
        stream.Position = 0;
        await Assert.ThrowsAsync<ChecksumMismatchException>(() => stream.ReadAsync(new byte[1]).AsTask().Within());
        await using SeekableObjectStream other = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key).Within();
        await ReadAsync(other, 0, 100, null); // doesn't use the damaged data
    }

    [Fact]
    public async Task Verdict_Md5Tag_IsComparedFromTheCache()
    {
        byte[] content = Sample.Bytes(100_000);
        S3.Objects[FakeS3.Key] = new FakeObject(content, Sums.Tag(content));
        TransferClient client = NewClient();
        await using SeekableObjectStream stream = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key).Within();

        await ReadAsync(stream, 50_000, 50_000, content);
        await ReadAsync(stream, 0, 50_000, content);

        Assert.Equal((true, ChecksumAlgorithm.Md5), (stream.Verdict.IsVerified, stream.Verdict.Content!.Algorithm));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Verdict_WholePartWasRead_PartIsCompared(bool isDamaged)
    {
        byte[] content = Sample.Bytes(40 * MiB);
        int[] parts = [16 * MiB, 16 * MiB, 8 * MiB];
        string[] sums = [CrcOf.Crc64Nvme(content.AsSpan(0, 16 * MiB)), CrcOf.Crc64Nvme(content.AsSpan(16 * MiB, 16 * MiB)), CrcOf.Crc64Nvme(content.AsSpan(32 * MiB))];
        sums[1] = isDamaged ? sums[0] : sums[1];
        S3.Objects[FakeS3.Key] = new FakeObject(content, TwoParts) { Parts = parts, PartsInPage = 2, PartCrc64Nvme = sums };
        TransferClient client = NewClient();
        SeekableObjectStream stream = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key).Within();
        await ReadAsync(stream, 36 * MiB, 1000, content);
        Assert.DoesNotContain(S3.Calls, call => call.Operation == S3Call.Attributes);

        if (isDamaged)
        {
            ChecksumMismatchException e = await Assert.ThrowsAsync<ChecksumMismatchException>(async () =>
            {
                await ReadAsync(stream, 16 * MiB, 16 * MiB, null);
                await Deadline.Until(() => S3.Calls.Count(call => call.Operation == S3Call.Attributes) == 2);
                while (true)
                {
                    await ReadAsync(stream, 16 * MiB, 1000, null); // the checksums of the parts arrive beside the reads
                    await Task.Yield();
                }
            });
            Assert.Contains("part 2", e.Message, StringComparison.Ordinal);
        }
        else
        {
            await ReadAsync(stream, 16 * MiB, 16 * MiB, content);
            await Deadline.Until(() => stream.Verdict.BytesVerified > 0);
            Assert.Equal((16 * MiB, false), (stream.Verdict.BytesVerified, stream.Verdict.IsVerified));
            Assert.Equal(2, S3.Calls.Count(call => call.Operation == S3Call.Attributes));
        }

        await stream.DisposeAsync().AsTask().Within();
    }

    [Fact]
    public async Task Verdict_VerificationIsOff_AsksNothing()
    {
        byte[] content = S3.Put(3 * MiB);
        TransferClient client = NewClient();
        await using SeekableObjectStream stream = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key, new SeekableReadOptions { Verify = false }).Within();

        await ReadAsync(stream, 0, content.Length, content);

        Assert.All(S3.Calls, call => Assert.Equal(S3Call.Get, call.Operation));
        Assert.Null(stream.Verdict.Content);
    }

    private static async Task ReadAsync(SeekableObjectStream stream, long offset, int count, byte[]? content)
    {
        byte[] buffer = new byte[count];
        stream.Position = offset;
        await stream.ReadExactlyAsync(buffer).AsTask().Within();
        if (content is not null)
        {
            Assert.True(content.AsSpan((int)offset, count).SequenceEqual(buffer));
        }
    }
}
