using Amazon.S3;
using Amazon.S3.Model;
using Amazon.S3.Transfer;
using Transfer.S3.TransferUtility;

namespace Transfer.S3.IntegrationTests.Compatibility;

/// <summary>Compares the SDK's utility and the adapter for the same uploads.</summary>
public sealed class UploadDifferentialTests : DifferentialTest
{
    private const int MiB = 1 << 20;
    private const int Large = (11 * MiB) + 5;

    private static readonly TransferUtilityConfig EarlyParts = new() { MinSizeBeforePartUpload = 6 * MiB };

    private static readonly Dictionary<string, Func<Stage, Task>> Cases = new()
    {
        ["path"] = s => s.Utility.UploadAsync(s.NewFile("a.txt", 100), s.Bucket),
        ["path, synchronous"] = s => Run(() => s.Utility.Upload(s.NewFile("a.txt", 100), s.Bucket)),
        ["path and key"] = s => s.Utility.UploadAsync(s.NewFile("a.json", 100), s.Bucket, "folder/b.html"),
        ["path and key, synchronous"] = s => Run(() => s.Utility.Upload(s.NewFile("a.json", 100), s.Bucket, "folder/b.html")),
        ["stream"] = s => s.Utility.UploadAsync(new MemoryStream(new byte[50]), s.Bucket, "key.png"),
        ["stream, synchronous"] = s => Run(() => s.Utility.Upload(new MemoryStream(new byte[50]), s.Bucket, "key.png")),
        ["empty file"] = s => s.Utility.UploadAsync(s.NewFile("empty", 0), s.Bucket),
        ["empty stream"] = s => s.Utility.UploadAsync(new MemoryStream(), s.Bucket, "key"),
        ["unknown extension"] = s => s.Utility.UploadAsync(s.NewFile("a.unknown-ending", 10), s.Bucket),
        ["unusual key"] = s => s.Utility.UploadAsync(s.NewFile("a b+c", 10), s.Bucket, "x y/ü+%&=?#.bin"),
        ["key of slashes"] = s => s.Utility.UploadAsync(s.NewFile("a", 10), s.Bucket, "a//b/"),
        ["key of spaces and quotes"] = s => s.Utility.UploadAsync(s.NewFile("a", 10), s.Bucket, " a'b\"c~(d)*!;:@$, "),
        ["key that is too long"] = s => s.Utility.UploadAsync(s.NewFile("a", 10), s.Bucket, new string('k', 1025)),
        ["large file"] = s => s.Utility.UploadAsync(s.NewFile("large.bin", Large), s.Bucket),
        ["large file, given part size"] = s => s.Utility.UploadAsync(
            new TransferUtilityUploadRequest { FilePath = s.NewFile("large.bin", Large), BucketName = s.Bucket, PartSize = 6 * MiB }),
        ["large file, part size that the store rejects"] = s => s.Utility.UploadAsync(
            new TransferUtilityUploadRequest { FilePath = s.NewFile("large.bin", Large), BucketName = s.Bucket, PartSize = MiB }),
        ["large stream"] = s => s.Utility.UploadAsync(new MemoryStream(new byte[Large]), s.Bucket, "large"),
        ["metadata and headers"] = s =>
        {
            TransferUtilityUploadRequest request = new() { FilePath = s.NewFile("a.txt", 10), BucketName = s.Bucket, ContentType = "text/special" };
            request.Metadata.Add("colour", "green");
            request.Metadata.Add("x-amz-meta-Size", "large");
            request.Headers.CacheControl = "no-store";
            return s.Utility.UploadAsync(request);
        },
        ["content type in the headers"] = s => TypedAsync(s, 10, null),
        ["content type in the headers, in parts"] = s => TypedAsync(s, Large, null),
        ["content type in the headers and the request"] = s => TypedAsync(s, 10, "text/named"),
        ["content type in the headers and the request, in parts"] = s => TypedAsync(s, Large, "text/named"),
        ["key from the file name"] = async s =>
        {
            TransferUtilityUploadRequest request = new() { FilePath = s.NewFile("a.txt", 10), BucketName = s.Bucket };
            await s.Utility.UploadAsync(request);
            s.Note(request.Key);
        },
        ["replaces"] = async s =>
        {
            await s.NewObjectAsync("a.txt", 50);
            await s.Utility.UploadAsync(s.NewFile("a.txt", 10), s.Bucket);
        },
        ["if absent, exists"] = async s =>
        {
            await s.NewObjectAsync("key", 50);
            await s.Utility.UploadAsync(new TransferUtilityUploadRequest { FilePath = s.NewFile("a", 10), BucketName = s.Bucket, Key = "key", IfNoneMatch = "*" });
        },
        ["if absent, exists, in parts"] = async s =>
        {
            await s.NewObjectAsync("key", 50);
            await s.Utility.UploadAsync(new TransferUtilityUploadRequest { FilePath = s.NewFile("a", Large), BucketName = s.Bucket, Key = "key", IfNoneMatch = "*" });
        },
        ["if match, different"] = async s =>
        {
            await s.NewObjectAsync("key", 50);
            await s.Utility.UploadAsync(
                new TransferUtilityUploadRequest { FilePath = s.NewFile("a", 10), BucketName = s.Bucket, Key = "key", IfMatch = "\"0123456789abcdef0123456789abcdef\"" });
        },
        ["if match, different, in parts"] = async s =>
        {
            await s.NewObjectAsync("key", 50);
            await s.Utility.UploadAsync(
                new TransferUtilityUploadRequest { FilePath = s.NewFile("a", Large), BucketName = s.Bucket, Key = "key", IfMatch = "\"0123456789abcdef0123456789abcdef\"" });
        },
        ["if match, same"] = async s =>
        {
            await s.NewObjectAsync("key", 50);
            string etag = (await s.S3.GetObjectMetadataAsync(s.Bucket, "key")).ETag;
            await s.Utility.UploadAsync(new TransferUtilityUploadRequest { FilePath = s.NewFile("a", 10), BucketName = s.Bucket, Key = "key", IfMatch = etag });
        },
        ["properties of the object"] = s => DescribedAsync(s, 10),
        ["properties of the object, in parts"] = s => DescribedAsync(s, Large),
        ["expires as text, sent by the SDK"] = s => s.Utility.UploadAsync(
            new TransferUtilityUploadRequest { FilePath = s.NewFile("a", 10), BucketName = s.Bucket, Expires = "Wed, 21 Oct 2065 07:28:00 GMT" }),
        ["a custom header, sent by the SDK"] = s =>
        {
            TransferUtilityUploadRequest request = new() { FilePath = s.NewFile("a", 10), BucketName = s.Bucket };
            request.Headers["x-amz-meta-own"] = "value";
            return s.Utility.UploadAsync(request);
        },
        ["metadata that is not ASCII, sent by the SDK"] = s =>
        {
            TransferUtilityUploadRequest request = new() { FilePath = s.NewFile("a", 10), BucketName = s.Bucket };
            request.Metadata.Add("name", "grün");
            return s.Utility.UploadAsync(request);
        },
        ["headers that are not ASCII, sent by the SDK"] = s =>
        {
            TransferUtilityUploadRequest request = new() { FilePath = s.NewFile("a", 10), BucketName = s.Bucket };
            request.Headers.ContentDisposition = "attachment; filename=\"grün\"";
            return s.Utility.UploadAsync(request);
        },
        ["an invalid time, sent by the SDK"] = s =>
        {
            TransferUtilityUploadRequest request = new() { FilePath = s.NewFile("a", 10), BucketName = s.Bucket };
            request.Headers["Expires"] = "0";
            return s.Utility.UploadAsync(request);
        },
        ["too many tags"] = s => s.Utility.UploadAsync(
            new TransferUtilityUploadRequest
            {
                FilePath = s.NewFile("a", 10),
                BucketName = s.Bucket,
                TagSet = [.. Enumerable.Range(0, 11).Select(i => new Tag { Key = $"key{i}", Value = "value" })],
            }),
        ["a given checksum"] = s => s.Utility.UploadAsync(
            new TransferUtilityUploadRequest { InputStream = new MemoryStream("hello"u8.ToArray()), BucketName = s.Bucket, Key = "a", ChecksumCRC32 = "NhCmhg==" }),
        ["a given checksum that is wrong"] = s => s.Utility.UploadAsync(
            new TransferUtilityUploadRequest { InputStream = new MemoryStream("hello"u8.ToArray()), BucketName = s.Bucket, Key = "a", ChecksumCRC32 = "AAAAAA==" }),
        ["an invalid customer-provided key"] = s => s.Utility.UploadAsync(
            new TransferUtilityUploadRequest
            {
                FilePath = s.NewFile("a", 10),
                BucketName = s.Bucket,
                ServerSideEncryptionCustomerMethod = ServerSideEncryptionCustomerMethod.AES256,
                ServerSideEncryptionCustomerProvidedKey = "AAAA",
            }),
        ["missing bucket"] = s => s.Utility.UploadAsync(s.NewFile("a", 1), "no-such-bucket"),
        ["missing bucket, in parts"] = s => s.Utility.UploadAsync(s.NewFile("a", Large), "no-such-bucket"),
        ["missing file"] = s => s.Utility.UploadAsync(s.File("missing"), s.Bucket),
        ["a file that is open for writing"] = s => WhileOpenAsync(s, 10, FileShare.None),
        ["a file that is open for writing, in parts"] = s => WhileOpenAsync(s, Large, FileShare.None),
        ["a file that is open for writing and shared for reading"] = s => WhileOpenAsync(s, 10, FileShare.Read),
        ["a folder instead of a file"] = s => s.Utility.UploadAsync(Path.GetDirectoryName(s.File("x")), s.Bucket),
        ["null path"] = s => s.Utility.UploadAsync((string)null!, s.Bucket),
        ["empty path"] = s => s.Utility.UploadAsync(string.Empty, s.Bucket, "key"),
        ["null bucket"] = s => s.Utility.UploadAsync(s.NewFile("a", 1), null),
        ["null stream"] = s => s.Utility.UploadAsync((Stream)null!, s.Bucket, "key"),
        ["stream without a key"] = s => s.Utility.UploadAsync(new MemoryStream(), s.Bucket, null),
        ["request with a stream and no key"] = s => s.Utility.UploadAsync(new TransferUtilityUploadRequest { BucketName = s.Bucket, InputStream = new MemoryStream() }),
        ["request without a source"] = s => s.Utility.UploadAsync(new TransferUtilityUploadRequest { BucketName = s.Bucket, Key = "key" }),
        ["request without a bucket, synchronous"] = s => Run(() => s.Utility.Upload(new TransferUtilityUploadRequest { Key = "key" })),
        ["request with two sources"] = s => s.Utility.UploadAsync(
            new TransferUtilityUploadRequest { BucketName = s.Bucket, FilePath = s.NewFile("a", 9), InputStream = new MemoryStream(new byte[8]) }),
        ["cancelled"] = s => s.Utility.UploadAsync(s.NewFile("a", 10), s.Bucket, new CancellationToken(canceled: true)),
        ["a stream that fails"] = s => s.Utility.UploadAsync(new FailingStream(100, new IOException("The disk was removed.")), s.Bucket, "key"),
        ["a stream that fails, in parts"] = s => s.Utility.UploadAsync(new FailingStream(Large, new IOException("The disk was removed.")), s.Bucket, "key"),
        ["a stream that throws another exception"] = s => s.Utility.UploadAsync(new FailingStream(100, new InvalidDataException("It is damaged.")), s.Bucket, "key"),
        ["a stream that throws another exception, in parts"] = s => s.Utility.UploadAsync(
            new FailingStream(Large, new InvalidDataException("It is damaged.")), s.Bucket, "key"),
    };

    /// <summary>The state of the caller's stream afterward: whether it can seek, is closed as requested, and the upload succeeds.</summary>
    private static readonly Dictionary<string, Func<Stage, Task>> StreamCases = new()
    {
        ["closed"] = s => UploadAsync(s, new MemoryStream(new byte[30]), request => { }),
        ["left open"] = s => UploadAsync(s, new MemoryStream(new byte[30]), request => request.AutoCloseStream = false),
        ["large, closed"] = s => UploadAsync(s, new MemoryStream(new byte[Large]), request => { }),
        ["large, left open"] = s => UploadAsync(s, new MemoryStream(new byte[Large]), request => request.AutoCloseStream = false),
        ["not reset"] = s => UploadAsync(s, At(10, new MemoryStream(new byte[30])), request => request.AutoResetStreamPosition = false),
        ["reset"] = s => UploadAsync(s, At(10, new MemoryStream(new byte[30])), request => request.AutoCloseStream = false),
        ["reset, large"] = s => UploadAsync(s, At(Large + 10, new MemoryStream(new byte[Large + 30])), request => request.AutoCloseStream = false),
        ["reset, in parts"] = s => UploadAsync(s, At(10, new MemoryStream(new byte[Large + 30])), request => request.AutoCloseStream = false),
        ["closed, upload rejected"] = s => UploadAsync(s, new MemoryStream(new byte[30]), request => request.BucketName = "no-such-bucket"),
        ["left open, upload rejected"] = s => UploadAsync(
            s,
            new MemoryStream(new byte[30]),
            request =>
            {
                request.BucketName = "no-such-bucket";
                request.AutoCloseStream = false;
            }),
    };

    public static TheoryData<string> CaseNames => Sample(Cases.Keys);

    public static TheoryData<string> StreamCaseNames => Sample(StreamCases.Keys);

    [Theory]
    [MemberData(nameof(CaseNames))]
    public Task Uploads_HaveTheSameResult(string name) => AssertSameAsync(Cases[name], config: EarlyParts);

    [Theory]
    [MemberData(nameof(StreamCaseNames))]
    public Task Streams_HaveTheSameStateAfterward(string name) => AssertSameAsync(StreamCases[name], config: EarlyParts);

    [Theory]
    [InlineData(0)]
    [InlineData(100)]
    [InlineData(Large)]
    public Task Responses_AreTheSame(int length) => AssertSameAsync(
        async s =>
        {
            TransferUtilityUploadResponse[] responses =
            [
                await s.Utility.UploadWithResponseAsync(s.NewFile("a.txt", length), s.Bucket),
                await s.Utility.UploadWithResponseAsync(s.NewFile("b.txt", length), s.Bucket, "c"),
                await s.Utility.UploadWithResponseAsync(new MemoryStream(new byte[length]), s.Bucket, "d"),
                await s.Utility.UploadWithResponseAsync(
                    new TransferUtilityUploadRequest { BucketName = s.Bucket, FilePath = s.File("a.txt"), Key = "e", ChecksumAlgorithm = Amazon.S3.ChecksumAlgorithm.SHA256 }),
                s.Utility.UploadWithResponse(s.File("a.txt"), s.Bucket),
                s.Utility.UploadWithResponse(s.File("a.txt"), s.Bucket, "f"),
                s.Utility.UploadWithResponse(new MemoryStream(new byte[length]), s.Bucket, "g"),
                s.Utility.UploadWithResponse(new TransferUtilityUploadRequest { BucketName = s.Bucket, FilePath = s.File("a.txt"), Key = "h" }),
            ];
            foreach (TransferUtilityUploadResponse response in responses)
            {
                s.Note($"{response.ETag} {response.VersionId} {response.BucketName} {response.Key} {response.Size} {response.ChecksumSHA256} {response.BucketKeyEnabled}"
                    + $" {response.Expiration} {response.RequestCharged} {response.ServerSideEncryptionMethod} {response.Location}");
            }
        },
        config: EarlyParts);

    [Theory]
    [InlineData(0, "bucket")]
    [InlineData(100, "bucket")]
    [InlineData(Large, "bucket")]
    [InlineData(100, "no-such-bucket")]
    [InlineData(Large, "no-such-bucket")]
    public Task Events_AreTheSame(int length, string bucket) => AssertSameAsync(
        async s =>
        {
            TransferUtilityUploadRequest request = new() { BucketName = bucket == "bucket" ? s.Bucket : bucket, FilePath = s.NewFile("a.txt", length) };
            ProgressNotes progress = new(length);
            request.UploadInitiatedEvent += (sender, e) => s.Note($"initiated {ReferenceEquals(sender, request)} {ReferenceEquals(e.Request, request)} {e.FilePath} {e.TotalBytes}");
            request.UploadProgressEvent += (sender, e) => progress.Add(ReferenceEquals(sender, request) && ReferenceEquals(e.Request, request), e.FilePath, e.TransferredBytes, e.TotalBytes);
            request.UploadCompletedEvent += (_, e) => s.Note($"completed {ReferenceEquals(e.Request, request)} {e.FilePath} {e.TotalBytes} {e.Response.ETag}");
            request.UploadFailedEvent += (_, e) => s.Note($"failed {ReferenceEquals(e.Request, request)} {e.FilePath} {e.TotalBytes}");
            try
            {
                await s.Utility.UploadAsync(request);
            }
            finally
            {
                s.Note(bucket == "bucket" && length > 0 ? await progress.EndAsync() : "no end of progress");
                Assert.False(progress.WentBack && s.Utility is TransferUtilityAdapter);
            }
        },
        config: EarlyParts);

    [Theory]
    [InlineData(100, "initiated")]
    [InlineData(Large, "initiated")]
    [InlineData(100, "completed")]
    [InlineData(Large, "completed")]
    [InlineData(100, "failed")]
    [InlineData(Large, "failed")]
    public Task Listener_Throws_UploadHasTheSameResult(int length, string when) => AssertSameAsync(
        async s =>
        {
            MemoryStream stream = new(new byte[length]);
            TransferUtilityUploadRequest request = new() { BucketName = when == "failed" ? "no-such-bucket" : s.Bucket, Key = "key", InputStream = stream };
            request.UploadInitiatedEvent += (_, _) => Throw(s, "initiated", when);
            request.UploadCompletedEvent += (_, _) => Throw(s, "completed", when);
            request.UploadFailedEvent += (_, _) => Throw(s, "failed", when);
            try
            {
                await s.Utility.UploadAsync(request);
            }
            finally
            {
                s.Note(when == "initiated" ? $"{stream.CanRead}" : string.Empty);
            }
        },
        config: EarlyParts);

    private static void Throw(Stage s, string what, string when)
    {
        s.Note(what);
        if (what == when)
        {
            throw new InvalidTimeZoneException("Thrown by the listener.");
        }
    }

    private static async Task UploadAsync(Stage s, Stream stream, Action<TransferUtilityUploadRequest> configure)
    {
        TransferUtilityUploadRequest request = new() { BucketName = s.Bucket, Key = "key", InputStream = stream };
        configure(request);
        try
        {
            await s.Utility.UploadAsync(request);
        }
        finally
        {
            s.Note(stream.CanRead ? $"open at {(stream.CanSeek ? stream.Position : -1)}" : "closed");
        }
    }

    private static async Task WhileOpenAsync(Stage s, int length, FileShare share)
    {
        string path = s.NewFile("a", length);
        using FileStream writer = new(path, FileMode.Open, FileAccess.Write, share);
        await s.Utility.UploadAsync(path, s.Bucket);
    }

    private static Task TypedAsync(Stage s, int length, string? type)
    {
        TransferUtilityUploadRequest request = new() { FilePath = s.NewFile("a.txt", length), BucketName = s.Bucket, ContentType = type };
        request.Headers.ContentType = "text/header";
        return s.Utility.UploadAsync(request);
    }

    private static async Task DescribedAsync(Stage s, int length)
    {
        TransferUtilityUploadRequest request = new()
        {
            FilePath = s.NewFile("a.bin", length),
            BucketName = s.Bucket,
            StorageClass = S3StorageClass.StandardInfrequentAccess,
            CannedACL = S3CannedACL.BucketOwnerFullControl,
            ServerSideEncryptionMethod = ServerSideEncryptionMethod.AES256,
            TagSet = [new Tag { Key = "team", Value = "a b&c" }, new Tag { Key = "empty", Value = string.Empty }],
        };
        request.Headers.ContentDisposition = "attachment; filename=\"x.bin\"";
        request.Headers.ContentEncoding = "gzip";
        request.Headers.ContentLanguage = "de";
        request.Headers.Expires = new DateTime(2065, 10, 21, 7, 28, 0, DateTimeKind.Utc);

        TransferUtilityUploadResponse response = await s.Utility.UploadWithResponseAsync(request);

        GetObjectMetadataResponse head = await s.S3.GetObjectMetadataAsync(s.Bucket, "a.bin");
        s.Note($"{head.StorageClass} {head.ServerSideEncryptionMethod} {response.ServerSideEncryptionMethod} {response.Location}");
        s.Note($"{head.Headers.ContentDisposition} {head.Headers.ContentEncoding} {head.Headers.ContentLanguage} {head.ExpiresString} {head.TagsCount}");
    }

    private static Stream At(long position, Stream stream)
    {
        stream.Position = position;
        return stream;
    }

    private static Task Run(Action call)
    {
        call();
        return Task.CompletedTask;
    }
}
