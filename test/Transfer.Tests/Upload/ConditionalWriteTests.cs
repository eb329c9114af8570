using System.Net;
using Amazon.S3.Model;
using Microsoft.Extensions.Logging;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.TransferUtility;

namespace Transfer.S3.Tests.Upload;

/// <summary>Uploads and copies that must not replace an object, in stores that honor, ignore, or reject If-None-Match.</summary>
#pragma warning disable CA1001 // xUnit calls DisposeAsync
public sealed class ConditionalWriteTests : TransferTest
#pragma warning restore CA1001
{
    private const int Part = 5 * 1024 * 1024;
    private static readonly UploadOptions OnlyIfAbsent = new() { Overwrite = false };
    private readonly LogLines _log = new();

    private string[] Warnings => [.. _log.Written.Where(line => line.StartsWith("Warning: ", StringComparison.Ordinal))];

    public override async Task DisposeAsync()
    {
        await base.DisposeAsync();
        _log.Dispose();
    }

    [Theory]
    [InlineData(10)]
    [InlineData(Part + 1)]
    public async Task StoreIgnoresTheCondition_ExistingObjectIsKept(int size)
    {
        byte[] old = S3.Put(10);
        S3.IgnoresIfNoneMatch = true;

        TransferException e = await Assert.ThrowsErrorAsync(TransferError.PreconditionFailed, () => UploadAsync(Client(), FakeS3.Key, size));

        Assert.EachEqual((HttpStatusCode.PreconditionFailed, FakeS3.Key), (e.StatusCode, e.Key));
        Assert.Contains("it already exists", e.Message, StringComparison.Ordinal);
        Assert.Equal(old, S3.Published());
        Assert.False(S3.HasOpenUpload);
    }

    [Theory]
    [InlineData(10, HttpStatusCode.NotImplemented, "NotImplemented")]
    [InlineData(Part + 1, HttpStatusCode.NotImplemented, "NotImplemented")]
    [InlineData(10, HttpStatusCode.BadRequest, "InvalidArgument")]
    [InlineData(Part + 1, HttpStatusCode.BadRequest, "UnsupportedHeader")]
    public async Task StoreRejectsTheCondition_ChecksFirstAndWarnsOnce(int size, HttpStatusCode status, string code)
    {
        byte[] old = S3.Put(10);
        RefuseConditions(status, code);
        TransferClient client = Client();

        for (int i = 0; i < 3; i++)
        {
            await UploadAsync(client, $"new{i}", size);
            Assert.Equal(size, S3.Published($"new{i}")!.Length);
        }

        await Assert.ThrowsErrorAsync(TransferError.PreconditionFailed, () => UploadAsync(client, FakeS3.Key, size));
        Assert.Equal(old, S3.Published());
        string warning = Assert.Single(Warnings);
        Assert.Contains("s3://bucket", warning, StringComparison.Ordinal);
        Assert.Contains(code, warning, StringComparison.Ordinal);
        Assert.Equal(4, Conditional.Count() + Unconditional.Count()); // one was rejected, and none was sent for the existing object
        Assert.Single(Conditional);
    }

    [Fact]
    public async Task StoreAlsoRejectsChecksums_UploadSucceeds()
    {
        S3.Before = (call, _) => call.Request is PutObjectRequest put && (put.IfNoneMatch is not null || put.MD5Digest is null)
            ? throw FakeS3.Error(HttpStatusCode.NotImplemented, "NotImplemented")
            : Task.CompletedTask;
        TransferClient client = Client();

        await UploadAsync(client, "a", 10);
        int first = S3.GetCount(S3Call.Put);
        await UploadAsync(client, "b", 10);

        Assert.EachEqual((6, 7), (first, S3.GetCount(S3Call.Put))); // each of three checksums with and without the condition, and then only what it accepts
        Assert.Single(Warnings);
    }

    [Theory]
    [InlineData(10)]
    [InlineData(Part + 1)]
    public async Task StoreHonorsTheCondition_IsNotCheckedAgain(int size)
    {
        TransferClient client = Client();
        S3.Before = (call, _) =>
        {
            if (call is { Key: "raced", Operation: S3Call.Put or S3Call.Complete })
            {
                S3.Put("raced", 10); // after the HEAD, which did not find it
            }

            return Task.CompletedTask;
        };

        await UploadAsync(client, "a", size);
        await Assert.ThrowsErrorAsync(TransferError.PreconditionFailed, () => UploadAsync(client, "raced", size));
        int asked = S3.GetCount(S3Call.Head);
        await UploadAsync(client, "b", size);

        Assert.EachEqual((2, 2), (asked, S3.GetCount(S3Call.Head)));
        Assert.Equal(10, S3.Published("raced")!.Length);
        Assert.Empty(Warnings);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task HeadIsDenied_ReliesOnTheCondition(bool isRefused)
    {
        byte[] old = S3.Put(10);
        if (isRefused)
        {
            RefuseConditions(HttpStatusCode.NotImplemented, "NotImplemented");
        }

        Func<S3Call, CancellationToken, Task>? before = S3.Before;
        S3.Before = (call, token) => call.Operation == S3Call.Head ? throw FakeS3.Error(HttpStatusCode.Forbidden, "Forbidden") : before?.Invoke(call, token) ?? Task.CompletedTask;
        TransferClient client = Client();

        TransferException e = await Assert.ThrowsAnyAsync<TransferException>(() => UploadAsync(client, FakeS3.Key, 10));
        Assert.Equal(isRefused ? "NotImplemented" : "PreconditionFailed", e.ErrorCode);
        Assert.Equal(old, S3.Published());
        if (!isRefused)
        {
            await UploadAsync(client, "new", 10);
        }
    }

    [Fact]
    public async Task StoreDoesNotAnswerTheCheck_UploadFails()
    {
        S3.Before = (call, _) => call.Operation == S3Call.Head ? throw FakeS3.Busy() : Task.CompletedTask;

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => UploadAsync(Client(), "a", 10));

        Assert.Equal("InternalError", e.ErrorCode);
        Assert.Null(S3.Published("a"));
    }

    [Fact]
    public async Task WriteStream_ExistingObjectIsKept()
    {
        byte[] old = S3.Put(10);
        S3.IgnoresIfNoneMatch = true;
        await using ObjectWriteStream stream = await Client().OpenWriteAsync(FakeS3.Bucket, FakeS3.Key, OnlyIfAbsent).Within();
        await stream.WriteAsync(new byte[100]).Within();

        await Assert.ThrowsErrorAsync(TransferError.PreconditionFailed, () => stream.CompleteAsync().Within());

        Assert.Equal(old, S3.Published());
    }

    [Fact]
    public async Task Adapter_SendsTheHeaderInASingleRequest()
    {
        using TransferUtilityAdapter adapter = new(Client());

        await adapter.UploadAsync(new Amazon.S3.Transfer.TransferUtilityUploadRequest
        {
            BucketName = FakeS3.Bucket,
            Key = "a",
            InputStream = new MemoryStream([1]),
            IfNoneMatch = "*",
        }).Within();

        Assert.Equal("*", Assert.IsType<PutObjectRequest>(Assert.Single(S3.Calls).Request).IfNoneMatch);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(10)]
    [InlineData(300)]
    public async Task Copy_StoreIgnoresTheCondition_ExistingObjectIsKept(int size)
    {
        S3.Put("source", size);
        byte[] old = S3.Put("target", 20);
        S3.IgnoresIfNoneMatch = true;

        await Assert.ThrowsErrorAsync(
            TransferError.PreconditionFailed, () => Client().CopyAsync(new(FakeS3.Bucket, "source"), new(FakeS3.Bucket, "target"), new CopyOptions { Overwrite = false }).Within());

        Assert.Equal(old, S3.Published("target"));
        Assert.False(S3.HasOpenUpload);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(10)]
    public async Task Copy_StoreRejectsTheCondition_SucceedsAndWarnsOnce(int size)
    {
        byte[] content = S3.Put("source", size);
        S3.Put("there", 20);
        RefuseConditions(HttpStatusCode.NotImplemented, "NotImplemented");
        TransferClient client = Client();

        for (int i = 0; i < 2; i++)
        {
            await client.CopyAsync(new(FakeS3.Bucket, "source"), new(FakeS3.Bucket, $"target{i}"), new CopyOptions { Overwrite = false }).Within();
            Assert.Equal(content, S3.Published($"target{i}"));
        }

        await Assert.ThrowsErrorAsync(
            TransferError.PreconditionFailed, () => client.CopyAsync(new(FakeS3.Bucket, "source"), new(FakeS3.Bucket, "there"), new CopyOptions { Overwrite = false }).Within());
        Assert.Equal(20, S3.Published("there")!.Length);
        Assert.Single(Warnings);
    }

    [Fact]
    public async Task Directory_StoreIgnoresTheCondition_KeepsExistingObjectsAndWarnsOnce()
    {
        Make("a", "b", "c", "d", "e");
        S3.Put("a", 50);
        S3.Put("d", 50);
        S3.IgnoresIfNoneMatch = true;

        DirectoryResult result = await UploadDirectoryAsync();

        Assert.EachEqual((3, 2, 0), (result.Counts.Copied, result.Counts.Skipped, result.Counts.Failed));
        Assert.Equal([50, 1, 1, 50, 1], S3.Objects.OrderBy(one => one.Key, StringComparer.Ordinal).Select(one => one.Value.Content.Length));
        Assert.Single(Warnings, warning => warning.Contains("does not support If-None-Match (Ignored: ", StringComparison.Ordinal));
        Assert.EachEqual((5, 4), (S3.GetCount(S3Call.Head), S3.GetCount(S3Call.Put))); // the first object is sent twice, to check whether the second PUT is rejected
    }

    [Fact]
    public async Task Directory_StoreHonorsTheCondition_ChecksItOnce()
    {
        Make("a", "b", "c", "d", "e");
        S3.Put("a", 50);
        S3.Put("d", 50);

        DirectoryResult result = await UploadDirectoryAsync();

        Assert.EachEqual((3, 2, 0), (result.Counts.Copied, result.Counts.Skipped, result.Counts.Failed));
        Assert.Equal([50, 1, 1, 50, 1], S3.Objects.OrderBy(one => one.Key, StringComparer.Ordinal).Select(one => one.Value.Content.Length));
        Assert.InRange(S3.GetCount(S3Call.Head), 1, 3); // until the first new object
        Assert.Equal(5 + 2, S3.GetCount(S3Call.Head) + S3.GetCount(S3Call.Put)); // which is sent twice, and the second PUT is rejected
        Assert.Equal(5 + 2, result.Statistics.Requests);
        Assert.Empty(Warnings);
    }

    [Fact]
    public async Task Directory_StoreRejectsTheCondition_UploadsMissingObjects()
    {
        Make("a", "b", "c", "d", "e");
        S3.Put("a", 50);
        S3.Put("d", 50);
        RefuseConditions(HttpStatusCode.NotImplemented, "NotImplemented");

        DirectoryResult result = await UploadDirectoryAsync();

        Assert.EachEqual((3, 2, 0), (result.Counts.Copied, result.Counts.Skipped, result.Counts.Failed));
        Assert.Equal([50, 1, 1, 50, 1], S3.Objects.OrderBy(one => one.Key, StringComparer.Ordinal).Select(one => one.Value.Content.Length));
        Assert.Single(Warnings);
        Assert.Single(Conditional);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Directory_ManyConcurrentUploads_KeepsExistingObjects(bool ignores)
    {
        string[] names = [.. Enumerable.Range(0, 100).Select(i => $"f{i:d3}")];
        Make(names);
        foreach (string name in names.Where((_, i) => i % 3 == 0))
        {
            S3.Put(name, 50);
        }

        S3.IgnoresIfNoneMatch = ignores;

        DirectoryResult result = await UploadDirectoryAsync(concurrency: 8);

        Assert.EachEqual((66, 34), (result.Counts.Copied, result.Counts.Skipped));
        Assert.All(names, name => Assert.Equal(int.Parse(name[1..], System.Globalization.CultureInfo.InvariantCulture) % 3 == 0 ? 50 : 1, S3.Published(name)!.Length));
        Assert.Equal(ignores ? 1 : 0, Warnings.Length);
        Assert.InRange(S3.GetCount(S3Call.Head), ignores ? 100 : 1, 100);
    }

    private IEnumerable<S3Call> Conditional => S3.Calls.Where(call => call.Request is PutObjectRequest { IfNoneMatch: "*" } or CompleteMultipartUploadRequest { IfNoneMatch: "*" });

    private IEnumerable<S3Call> Unconditional => S3.Calls.Where(call => call.Request is PutObjectRequest { IfNoneMatch: null } or CompleteMultipartUploadRequest { IfNoneMatch: null });

    private TransferClient Client() => NewClient(options => options.LoggerFactory = new LoggerFactory([_log]));

    private static Task<UploadResult> UploadAsync(TransferClient client, string key, int size)
        => client.UploadAsync(new MemoryStream(Sample.Bytes(size)), FakeS3.Bucket, key, OnlyIfAbsent).Within();

    private Task<DirectoryResult> UploadDirectoryAsync(int concurrency = 1) => Client().UploadDirectoryAsync(
        Folder.Path, FakeS3.Bucket, string.Empty, new DirectoryOptions { SkipExisting = true, MaxConcurrentObjects = concurrency, OnFailure = FailurePolicy.Continue }).Within();

    private void Make(params string[] names)
    {
        foreach (string name in names)
        {
            File.WriteAllBytes(Folder.File(name), [1]);
        }
    }

    private void RefuseConditions(HttpStatusCode status, string code)
        => S3.Before = (call, _) => call.Request is PutObjectRequest { IfNoneMatch: not null } or CompleteMultipartUploadRequest { IfNoneMatch: not null } or CopyObjectRequest { IfNoneMatch: not null }
            ? throw FakeS3.Error(status, code)
            : Task.CompletedTask;
}
