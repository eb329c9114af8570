using System.Globalization;
using Amazon.S3;
using Amazon.S3.Transfer;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.TransferUtility;

namespace Transfer.S3.IntegrationTests.Compatibility;

/// <summary>Compares the SDK's utility and the adapter for the same downloads to files and streams.</summary>
[LongRunning]
public sealed class DownloadDifferentialTests : DifferentialTest
{
    private const int MiB = 1 << 20;
    private const int Large = (17 * MiB) + 5;

    private static readonly Dictionary<string, Func<Stage, Task>> Cases = new()
    {
        ["download"] = s => s.Utility.DownloadAsync(s.File("a"), s.Bucket, "small"),
        ["download, synchronous"] = s => Run(() => s.Utility.Download(s.File("a"), s.Bucket, "small")),
        ["download, request"] = s => s.Utility.DownloadAsync(new TransferUtilityDownloadRequest { BucketName = s.Bucket, Key = "small", FilePath = s.File("a") }),
        ["download, request, synchronous"] = s => Run(() => s.Utility.Download(new TransferUtilityDownloadRequest { BucketName = s.Bucket, Key = "small", FilePath = s.File("a") })),
        ["download, empty"] = s => s.Utility.DownloadAsync(s.File("a"), s.Bucket, "empty"),
        ["download, folders created"] = s => s.Utility.DownloadAsync(s.File("x/y/a"), s.Bucket, "small"),
        ["download, overwritten"] = s => s.Utility.DownloadAsync(s.NewFile("a", 5000), s.Bucket, "small"),
        ["download, missing key"] = s => s.Utility.DownloadAsync(s.File("a"), s.Bucket, "missing"),
        ["download, missing bucket"] = s => s.Utility.DownloadAsync(s.File("a"), "no-such-bucket", "key"),
        ["download, null bucket"] = s => s.Utility.DownloadAsync(s.File("a"), null, "key"),
        ["download, empty key"] = s => s.Utility.DownloadAsync(s.File("a"), s.Bucket, string.Empty),
        ["download, canceled"] = s => s.Utility.DownloadAsync(s.File("a"), s.Bucket, "small", new CancellationToken(canceled: true)),
        ["download, unusual keys"] = async s =>
        {
            foreach (string key in new[] { "a//b/", " a'b\"c~(d)*!;:@$, ", "x y/ü+%&=?#.bin" })
            {
                await s.NewObjectAsync(key, 10);
                await s.Utility.DownloadAsync(s.File("a"), s.Bucket, key);
                s.Note(await Stage.ReadAsync(await s.Utility.OpenStreamAsync(s.Bucket, key)));
            }
        },
        ["download, key that is too long"] = s => s.Utility.DownloadAsync(s.File("a"), s.Bucket, new string('k', 1025)),
        ["response, small"] = s => DownloadAsync(s, "small"),
        ["response, empty"] = s => DownloadAsync(s, "empty"),
        ["response, by small ranges"] = s => DownloadAsync(
            s,
            "small",
            request =>
            {
                request.MultipartDownloadType = MultipartDownloadType.RANGE;
                request.PartSize = 100;
            }),
        ["response, folders created"] = s => s.Utility.DownloadWithResponseAsync(s.File("x/y/a"), s.Bucket, "small"),
        ["response, overwritten"] = s => s.Utility.DownloadWithResponseAsync(s.NewFile("a", 5000), s.Bucket, "small"),
        ["response, synchronous"] = s => Run(() => Note(s, s.Utility.DownloadWithResponse(s.File("a"), s.Bucket, "small"))),
        ["response, request, synchronous"] = s => Run(
            () => Note(s, s.Utility.DownloadWithResponse(new TransferUtilityDownloadRequest { BucketName = s.Bucket, Key = "small", FilePath = s.File("a") }))),
        ["response, null path"] = s => s.Utility.DownloadWithResponseAsync(null, s.Bucket, "small"),
        ["response, empty path"] = s => s.Utility.DownloadWithResponseAsync(string.Empty, s.Bucket, "small"),
        ["response, missing key"] = s => DownloadAsync(s, "missing"),
        ["response, null key"] = s => DownloadAsync(s, null!),
        ["response, null bucket"] = s => DownloadAsync(s, "key", request => request.BucketName = null),
        ["response, overrides"] = s => DownloadAsync(s, "small", request => request.ResponseHeaderOverrides.ContentType = "text/override"),
        ["if match, same"] = s => DownloadAsync(s, "small", request => request.IfMatch = s.S3.GetObjectMetadataAsync(s.Bucket, "small").Result.ETag),
        ["if match, different"] = s => DownloadAsync(s, "small", request => request.IfMatch = "\"0123456789abcdef0123456789abcdef\""),
        ["if none match, same"] = s => DownloadAsync(s, "small", request => request.IfNoneMatch = s.S3.GetObjectMetadataAsync(s.Bucket, "small").Result.ETag),
        ["modified since, modified"] = s => DownloadAsync(s, "small", request => request.ModifiedSinceDate = new DateTime(2001, 1, 1, 0, 0, 0, DateTimeKind.Utc)),
        ["unmodified since, modified"] = s => DownloadAsync(s, "small", request => request.UnmodifiedSinceDate = new DateTime(2001, 1, 1, 0, 0, 0, DateTimeKind.Utc)),
        ["an invalid customer-provided key"] = s => DownloadAsync(
            s,
            "small",
            request =>
            {
                request.ServerSideEncryptionCustomerMethod = ServerSideEncryptionCustomerMethod.AES256;
                request.ServerSideEncryptionCustomerProvidedKey = "AAAA";
            }),
        ["open"] = async s => s.Note(await Stage.ReadAsync(await s.Utility.OpenStreamAsync(s.Bucket, "small"))),
        ["open, synchronous"] = async s => s.Note(await Stage.ReadAsync(s.Utility.OpenStream(s.Bucket, "small"))),
        ["open, missing key"] = s => s.Utility.OpenStreamAsync(s.Bucket, "missing"),
        ["open, missing bucket"] = s => s.Utility.OpenStreamAsync("no-such-bucket", "key"),
        ["open, null key"] = s => s.Utility.OpenStreamAsync(s.Bucket, null),
        ["open, null bucket"] = s => s.Utility.OpenStreamAsync(null, "key"),
        ["open, canceled"] = s => s.Utility.OpenStreamAsync(s.Bucket, "small", new CancellationToken(canceled: true)),
        ["open with response, small"] = s => OpenAsync(s, "small"),
        ["open with response, empty"] = s => OpenAsync(s, "empty"),
        ["open with response, synchronous"] = async s => await NoteAsync(s, s.Utility.OpenStreamWithResponse(s.Bucket, "small")),
        ["open with response, request, synchronous"] = async s => await NoteAsync(
            s, s.Utility.OpenStreamWithResponse(new TransferUtilityOpenStreamRequest { BucketName = s.Bucket, Key = "small" })),
        ["open with response, empty key"] = s => OpenAsync(s, string.Empty),
        ["open with response, missing key"] = s => OpenAsync(s, "missing"),
        ["open with response, null key"] = s => OpenAsync(s, null!),
        ["open with response, null bucket"] = s => s.Utility.OpenStreamWithResponseAsync(null, "key"),
        ["abort"] = async s =>
        {
            await s.S3.InitiateMultipartUploadAsync(s.Bucket, "begun");
            await s.Utility.AbortMultipartUploadsAsync(s.Bucket, new DateTime(2999, 1, 1, 0, 0, 0, DateTimeKind.Utc));
        },
        ["abort, synchronous"] = async s =>
        {
            await s.S3.InitiateMultipartUploadAsync(s.Bucket, "begun");
            s.Utility.AbortMultipartUploads(s.Bucket, new DateTime(2001, 1, 1, 0, 0, 0, DateTimeKind.Utc));
        },
        ["abort, null bucket"] = s => s.Utility.AbortMultipartUploadsAsync(null, new DateTime(2001, 1, 1, 0, 0, 0, DateTimeKind.Utc)),
    };

    /// <summary>The cases that need an object of several parts.</summary>
    private static readonly Dictionary<string, Func<Stage, Task>> LargeCases = new()
    {
        ["download, in parts"] = s => s.Utility.DownloadAsync(s.File("a"), s.Bucket, "parts"),
        ["response, in parts"] = s => DownloadAsync(s, "parts"),
        ["response, by ranges"] = s => DownloadAsync(
            s,
            "parts",
            request =>
            {
                request.MultipartDownloadType = MultipartDownloadType.RANGE;
                request.PartSize = 5 * MiB;
            }),
        ["open, request"] = async s => s.Note(await Stage.ReadAsync(await s.Utility.OpenStreamAsync(new TransferUtilityOpenStreamRequest { BucketName = s.Bucket, Key = "parts" }))),
        ["open, request, synchronous"] = async s => s.Note(await Stage.ReadAsync(s.Utility.OpenStream(new TransferUtilityOpenStreamRequest { BucketName = s.Bucket, Key = "parts" }))),
        ["open with response, in parts"] = s => OpenAsync(s, "parts"),
        ["open with response, by ranges"] = async s => await NoteAsync(
            s,
            await s.Utility.OpenStreamWithResponseAsync(
                new TransferUtilityOpenStreamRequest { BucketName = s.Bucket, Key = "parts", MultipartDownloadType = MultipartDownloadType.RANGE, PartSize = 5 * MiB })),
    };

    public static TheoryData<string> CaseNames => Sample(Cases.Keys);

    public static TheoryData<string> LargeCaseNames => Sample(LargeCases.Keys);

    [Theory]
    [MemberData(nameof(CaseNames))]
    public Task Downloads_HaveTheSameResult(string name) => AssertSameAsync(Cases[name], ArrangeAsync);

    [Theory]
    [MemberData(nameof(LargeCaseNames))]
    public Task LargeDownloads_HaveTheSameResult(string name) => AssertSameAsync(LargeCases[name], ArrangeWithPartsAsync);

    [Theory]
    [InlineData("small", true)]
    [InlineData("small", false)]
    [InlineData("empty", true)]
    [InlineData("empty", false)]
    [InlineData("parts", true)]
    [InlineData("parts", false)]
    [InlineData("missing", true)]
    [InlineData("missing", false)]
    public Task Events_AreTheSame(string key, bool withResponse) => AssertSameAsync(
        async s =>
        {
            TransferUtilityDownloadRequest request = new() { BucketName = s.Bucket, Key = key, FilePath = s.File("a") };
            long length = key switch { "small" => 1000, "parts" => Large, _ => 0 };
            ProgressNotes progress = new(length);
            request.DownloadInitiatedEvent += (sender, e) => s.Note($"initiated {ReferenceEquals(sender, request)} {ReferenceEquals(e.Request, request)} {e.FilePath}");
            request.WriteObjectProgressEvent += (sender, e) =>
            {
                bool isOwn = ReferenceEquals(sender, request) && ReferenceEquals(e.Request, request) && e.BucketName == s.Bucket && e.Key == key;
                bool isDone = e.TransferredBytes == e.TotalBytes; // the SDK's threads add up the bytes without synchronization, and may miss the last ones
                progress.Add(isOwn && (e.IsCompleted == isDone || s.Utility is not TransferUtilityAdapter), e.FilePath, e.TransferredBytes, e.TotalBytes);
            };
            request.DownloadCompletedEvent += (_, e) => s.Note($"completed {ReferenceEquals(e.Request, request)} {e.FilePath} {e.TotalBytes} {e.Response.ETag} {e.Response.ContentRange}");
            request.DownloadFailedEvent += (_, e) => s.Note($"failed {ReferenceEquals(e.Request, request)} {e.FilePath} {e.TransferredBytes}/{e.TotalBytes}");
            try
            {
                await (withResponse ? s.Utility.DownloadWithResponseAsync(request) : s.Utility.DownloadAsync(request));
            }
            finally
            {
                s.Note(key == "missing" ? "no end of progress" : await progress.EndAsync());
                Assert.False(progress.WentBack && s.Utility is TransferUtilityAdapter);
            }
        },
        key == "parts" ? ArrangeWithPartsAsync : ArrangeAsync);

    [Theory]
    [InlineData("initiated", true)]
    [InlineData("initiated", false)]
    [InlineData("completed", true)]
    [InlineData("completed", false)]
    [InlineData("failed", true)]
    [InlineData("failed", false)]
    public Task Listener_Throws_DownloadHasTheSameResult(string when, bool withResponse) => AssertSameAsync(
        async s =>
        {
            TransferUtilityDownloadRequest request = new() { BucketName = s.Bucket, Key = when == "failed" ? "missing" : "small", FilePath = s.File("a") };
            request.DownloadInitiatedEvent += (_, _) => Throw(s, "initiated", when);
            request.DownloadCompletedEvent += (_, _) => Throw(s, "completed", when);
            request.DownloadFailedEvent += (_, _) => Throw(s, "failed", when);
            await (withResponse ? s.Utility.DownloadWithResponseAsync(request) : s.Utility.DownloadAsync(request));
        },
        ArrangeAsync);

    private static void Throw(Stage s, string what, string when)
    {
        s.Note(what);
        if (what == when)
        {
            throw new InvalidTimeZoneException("Thrown by the listener.");
        }
    }

    private static async Task ArrangeAsync(Stage s)
    {
        await s.NewObjectAsync("small", 1000);
        await s.NewObjectAsync("empty", 0);
    }

    private static async Task ArrangeWithPartsAsync(Stage s)
    {
        await ArrangeAsync(s);
        await s.NewObjectAsync("parts", Large, 6 * MiB);
    }

    private static async Task DownloadAsync(Stage s, string key, Action<TransferUtilityDownloadRequest>? configure = null)
    {
        TransferUtilityDownloadRequest request = new() { BucketName = s.Bucket, Key = key, FilePath = s.File("a") };
        configure?.Invoke(request);
        Note(s, await s.Utility.DownloadWithResponseAsync(request));
    }

    private static async Task OpenAsync(Stage s, string key) => await NoteAsync(s, await s.Utility.OpenStreamWithResponseAsync(s.Bucket, key));

    private static async Task NoteAsync(Stage s, TransferUtilityOpenStreamResponse response)
    {
        Note(s, response);
        s.Note(await Stage.ReadAsync(response.ResponseStream));
    }

    /// <summary>
    /// Records all properties of a response except those that depend on the requests: the number of parts, and checksums of single parts.
    /// </summary>
    private static void Note(Stage s, TransferUtilityGetObjectResponseBase r)
    {
        s.Note($"{r.ETag} {r.VersionId} {r.AcceptRanges} {r.ContentRange} {r.Headers.ContentLength} {r.Headers.ContentType} {r.Headers.CacheControl} {r.Headers.ContentDisposition}");
        s.Note($"{r.BucketKeyEnabled} {r.DeleteMarker} {r.Expiration} {r.ExpiresString} {r.MissingMeta} {r.ObjectLockMode} {r.ReplicationStatus} {r.RequestCharged} {r.StorageClass}");
        s.Note($"{r.RestoreExpiration} {r.RestoreInProgress} {r.ServerSideEncryptionMethod} {r.TagCount} {r.WebsiteRedirectLocation} {(r.LastModified is { } t ? t.Kind : null)}");
        s.Note(string.Create(CultureInfo.InvariantCulture, $"{string.Join(',', r.Metadata.Keys.Order().Select(name => $"{name}={r.Metadata[name]}"))}"));
    }

    private static Task Run(Action call)
    {
        call();
        return Task.CompletedTask;
    }
}
