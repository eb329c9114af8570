using System.Net;
using System.Security.Cryptography;
using System.Text.Json;
using Transfer.S3.IntegrationTests.Stores;

namespace Transfer.S3.IntegrationTests.Transfers;

/// <summary>Uploads whose parts somebody without credentials sends: a plain <see cref="HttpClient"/>.</summary>
public sealed class PresignedUploadTests : TransferSuite
{
    private const int Part = 5 * 1024 * 1024;

    private static readonly UploadOptions Small = new() { PartSizeBytes = Part };
    private static readonly UploadOptions Hashed = Small with { Checksum = ChecksumAlgorithm.Sha256 };

    private readonly HttpClient _stranger = new();

    [Theory]
    [Stores(0, 1, Part, (2 * Part) + 1)]
    public async Task Parts_WithoutChecksums_AreAccepted(string storeName, int length)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store);
        byte[] content = Sample.Bytes(length);

        PresignedUpload upload = await client.PresignUploadAsync(store.Bucket, "a b/ä+.bin", length, Small with { ContentType = "text/plain", Metadata = Named("name", "value") }).Within();
        foreach (PresignedPart part in upload.Parts.Reverse())
        {
            Assert.Equal(HttpStatusCode.OK, await SendAsync(part, content));
        }

        UploadResult result = await client.CompleteUploadAsync(Kept(upload)).Within();

        ObjectInfo info = await client.GetInfoAsync(store.Bucket, "a b/ä+.bin").Within();
        Assert.Equal(content, await client.DownloadBytesAsync(store.Bucket, "a b/ä+.bin").Within());
        Assert.Equal((upload.PartCount, result.ETag, "text/plain", "value"), (result.Parts, info.ETag, info.ContentType, info.Metadata["name"]));
        Assert.False(result.Verdict.IsVerified);
        Assert.Empty(await store.OpenUploadsAsync());
    }

    [Theory]
    [Stores(ChecksumAlgorithm.Sha256, ChecksumAlgorithm.Crc32C, ChecksumAlgorithm.Crc64Nvme)]
    public async Task Parts_WithChecksums_AreVerified(string storeName, ChecksumAlgorithm algorithm)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store);
        byte[] content = Sample.Bytes(Part + 10);

        PresignedUpload upload = await client.PresignUploadAsync(store.Bucket, "key", content.Length, Small with { Checksum = algorithm }).Within();
        Assert.All(upload.Parts, part => Assert.Null(part.Url));
        foreach (PresignedPart planned in upload.Parts)
        {
            string checksum = Checksum(algorithm, Of(planned, content));
            PresignedPart part = await client.PresignPartAsync(upload, planned.Number, checksum).Within();
            Assert.Equal(HttpStatusCode.OK, await SendAsync(part, content));
        }

        UploadResult result = await client.CompleteUploadAsync(upload).Within();

        Assert.True(result.Verdict.IsVerified, result.Verdict.ToString());
        Assert.Equal((algorithm, algorithm == ChecksumAlgorithm.Sha256), (result.Verdict.Algorithm, result.Verdict.IsComposite));

        // The reply may have been lost.
        UploadResult again = await client.CompleteUploadAsync(upload, result.Verdict.Value).Within();
        Assert.Equal((result.ETag, result.Verdict), (again.ETag, again.Verdict));
        await Assert.ThrowsErrorAsync(TransferError.UploadNotFound, () => client.CompleteUploadAsync(upload)).Within();
    }

    [Theory]
    [Stores]
    public async Task OtherContent_IsRefused(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store);
        byte[] content = Sample.Bytes(1000);
        PresignedUpload upload = await client.PresignUploadAsync(store.Bucket, "key", content.Length, Hashed).Within();
        PresignedPart part = await client.PresignPartAsync(upload, 1, Convert.ToBase64String(SHA256.HashData(content))).Within();

        HttpStatusCode damaged = await SendAsync(part, Sample.Bytes(1000, seed: 2));
        HttpStatusCode longer = await SendAsync(part with { Length = 1001 }, Sample.Bytes(1001));
        HttpStatusCode unsigned = await SendAsync(part with { Headers = new Dictionary<string, string>() }, content);
        HttpStatusCode other = await SendAsync(part with { Url = new Uri(part.Url!.AbsoluteUri.Replace("partNumber=1", "partNumber=2", StringComparison.Ordinal)) }, content);

        Assert.EachEqual((HttpStatusCode.BadRequest, HttpStatusCode.Forbidden), (damaged, longer));
        Assert.Equal(HttpStatusCode.Forbidden, other);
        Assert.True(unsigned is HttpStatusCode.Forbidden or HttpStatusCode.BadRequest, unsigned.ToString()); // MinIO looks for the checksum first
        TransferException e = await Assert.ThrowsErrorAsync(TransferError.UploadIncomplete, () => client.CompleteUploadAsync(upload)).Within();
        Assert.Contains("1 of 1 parts are missing", e.Message, StringComparison.Ordinal);
        Assert.Equal(HttpStatusCode.OK, await SendAsync(part, content));
        Assert.True((await client.CompleteUploadAsync(upload).Within()).Verdict.IsVerified);
    }

    [Theory]
    [Stores]
    public async Task OtherLength_WithoutChecksum_IsRefused(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        PresignedUpload upload = await Client(store).PresignUploadAsync(store.Bucket, "key", 1000).Within();

        Assert.Equal(HttpStatusCode.Forbidden, await SendAsync(upload.Parts[0] with { Length = 999 }, Sample.Bytes(1000)));
        Assert.Equal(HttpStatusCode.Forbidden, await SendAsync(upload.Parts[0] with { Length = 1001 }, Sample.Bytes(1001)));
    }

    [Theory]
    [Stores]
    public async Task InterruptedUpload_OnlyMissingPartsAreSignedAgain(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store);
        byte[] content = Sample.Bytes((3 * Part) + 1);
        PresignedUpload upload = await client.PresignUploadAsync(store.Bucket, "key", content.Length, Small).Within();
        await SendAsync(upload.Parts[1], content);
        await SendAsync(upload.Parts[3], content);

        PresignedUpload rest = await client.PresignMissingPartsAsync(Kept(upload)).Within();

        Assert.Equal([1, 3], rest.Parts.Select(part => part.Number));
        TransferException e = await Assert.ThrowsErrorAsync(TransferError.UploadIncomplete, () => client.CompleteUploadAsync(upload)).Within();
        Assert.Contains("2 of 4 parts are missing or have another length (1, 3)", e.Message, StringComparison.Ordinal);
        foreach (PresignedPart part in rest.Parts)
        {
            Assert.Equal(HttpStatusCode.OK, await SendAsync(part, content));
        }

        await client.CompleteUploadAsync(upload).Within();
        Assert.Equal(content, await client.DownloadBytesAsync(store.Bucket, "key").Within());
        await Assert.ThrowsErrorAsync(TransferError.UploadNotFound, () => client.PresignMissingPartsAsync(upload)).Within();
    }

    [Theory]
    [Stores]
    public async Task OtherChecksumOfTheWhole_NothingIsPublished(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store);
        byte[] content = Sample.Bytes(1000);
        PresignedUpload upload = await client.PresignUploadAsync(store.Bucket, "key", content.Length, Small with { Checksum = ChecksumAlgorithm.Crc32C }).Within();
        string checksum = Checksum(ChecksumAlgorithm.Crc32C, content);
        await SendAsync(await client.PresignPartAsync(upload, 1, checksum).Within(), content);

        ChecksumMismatchException e = await Assert.ThrowsAsync<ChecksumMismatchException>(() => client.CompleteUploadAsync(upload, "AAAAAA==")).Within();

        Assert.Equal(("AAAAAA==", checksum), (e.Expected, e.Actual));
        Assert.False(await client.ExistsAsync(store.Bucket, "key").Within());
        Assert.Empty(await store.OpenUploadsAsync());
    }

    [Theory]
    [Stores]
    public async Task Condition_IsCheckedWhenTheObjectIsPublished(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store);
        byte[] content = Sample.Bytes(10);
        PresignedUpload upload = await client.PresignUploadAsync(store.Bucket, "key", content.Length, new UploadOptions { Overwrite = false }).Within();
        await SendAsync(upload.Parts[0], content);
        await client.UploadAsync("other"u8.ToArray(), store.Bucket, "key").Within();

        await Assert.ThrowsErrorAsync(TransferError.PreconditionFailed, () => client.CompleteUploadAsync(Kept(upload))).Within();

        Assert.Equal("other"u8.ToArray(), await client.DownloadBytesAsync(store.Bucket, "key").Within());
        Assert.Single(await store.OpenUploadsAsync());
        await client.AbortUploadAsync(upload).Within();
        await client.AbortUploadAsync(upload).Within();
        Assert.Empty(await store.OpenUploadsAsync());
        Assert.Equal(HttpStatusCode.NotFound, await SendAsync(upload.Parts[0], content));
    }

    [Theory]
    [Stores]
    public async Task CompletedTwiceAtOnce_PublishesOneObject(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store);
        byte[] content = Sample.Bytes(Part + 1);
        PresignedUpload upload = await client.PresignUploadAsync(store.Bucket, "key", content.Length, Small).Within();
        await Task.WhenAll(upload.Parts.Select(part => SendAsync(part, content))).Within();

        Task<UploadResult>[] calls = [.. Enumerable.Range(0, 4).Select(_ => client.CompleteUploadAsync(upload))];
        await Task.WhenAll(calls.Select(async call => await Record.ExceptionAsync(() => call))).Within();

        Assert.Contains(calls, call => call.IsCompletedSuccessfully);
        Assert.All(calls.Where(call => call.IsFaulted), call => Assert.IsError(TransferError.UploadNotFound, call.Exception!.InnerException));
        Assert.Equal(content, await client.DownloadBytesAsync(store.Bucket, "key").Within());
    }

    [Theory]
    [Stores]
    public async Task Download_WithTheUrl_IsParallelAndVerified(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store);
        byte[] content = Sample.Bytes((3 * Part) + 1);
        await client.UploadAsync(content, store.Bucket, "a b/ä+.bin", Small).Within();
        string path = Path.Combine(Folder, "file");

        Uri url = await client.PresignDownloadAsync(store.Bucket, "a b/ä+.bin", new PresignDownloadOptions { ContentDisposition = "attachment; filename=\"x y\"", ContentType = "text/x" }).Within();
        DownloadResult file = await client.DownloadAsync(url, path, new DownloadOptions { PartSizeBytes = Part }).Within();
        using MemoryStream memory = new();
        DownloadResult stream = await client.DownloadAsync(url, memory).Within();
        byte[] read = new byte[content.Length];
        await using (ObjectReadStream opened = await client.OpenReadAsync(url).Within())
        {
            await opened.ReadExactlyAsync(read).AsTask().Within();
            Assert.Equal(0, await opened.ReadAsync(new byte[1]).AsTask().Within());
        }

        Assert.Equal(content, await File.ReadAllBytesAsync(path));
        Assert.Equal(content, memory.ToArray());
        Assert.Equal(content, read);
        bool isEmbedded = store is EmbeddedStore; // MinIO returns checksums only if a header asks for them, which a browser doesn't send
        Assert.All([file.Verdict, stream.Verdict], verdict => Assert.True(verdict.IsVerified == isEmbedded, verdict.ToString()));
        Assert.True(file.Statistics.Requests >= 4, file.Statistics.ToString());
        using HttpResponseMessage response = await _stranger.GetAsync(url, HttpCompletionOption.ResponseHeadersRead).Within();
        Assert.Equal(("text/x", "attachment; filename=\"x y\""), (response.Content.Headers.ContentType?.ToString(), response.Content.Headers.NonValidated["Content-Disposition"].ToString()));
    }

    [Theory]
    [Stores(OurWireOnly = true)]
    public async Task Download_InterruptedAndWithANewUrl_Resumes(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        using CancellationTokenSource stop = new();
        int reads = 0;
        TransferClient client = Client(store, options => options.Advanced.RequestObserver = timing =>
        {
            if (timing.Kind == RequestKind.GetObject && Interlocked.Increment(ref reads) == 3)
            {
                stop.Cancel();
            }
        });
        byte[] content = Sample.Bytes(6 * Part);
        await client.UploadAsync(content, store.Bucket, "key", Small).Within();
        string path = Path.Combine(Folder, "file");
        DownloadOptions options = new() { PartSizeBytes = Part, MaxConcurrency = 1 };

        Uri first = await client.PresignDownloadAsync(store.Bucket, "key", new PresignDownloadOptions { Lifetime = TimeSpan.FromMinutes(5) }).Within();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => client.DownloadAsync(first, path, options, cancellationToken: stop.Token)).Within();
        Uri second = await client.PresignDownloadAsync(store.Bucket, "key").Within();
        DownloadResult result = await client.DownloadAsync(second, path, options).Within();

        Assert.Equal(content, await File.ReadAllBytesAsync(path));
        Assert.NotEqual(first, second);
        Assert.InRange(result.Statistics.BytesResumed, Part, content.Length - Part);
    }

    [Theory]
    [Stores(OurWireOnly = true)]
    public async Task Download_UrlThatIsNoLongerRight_IsDeniedWithoutTheSignature(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store);
        await client.UploadAsync("content"u8.ToArray(), store.Bucket, "key").Within();
        Uri url = await client.PresignDownloadAsync(store.Bucket, "key").Within();
        Uri damaged = new(url.AbsoluteUri.Replace("X-Amz-Expires=3600", "X-Amz-Expires=3601", StringComparison.Ordinal));

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => client.DownloadAsync(damaged, new MemoryStream())).Within();

        Assert.Equal(HttpStatusCode.Forbidden, e.StatusCode);
        Assert.DoesNotContain("X-Amz", e.ToString(), StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotContain(url.Query[^64..], e.ToString(), StringComparison.OrdinalIgnoreCase);
    }

    /// <summary>Returns what a server has kept of an upload.</summary>
    private static PresignedUpload Kept(PresignedUpload upload) => JsonSerializer.Deserialize<PresignedUpload>(JsonSerializer.Serialize(upload with { Parts = [] }))!;

    private static Dictionary<string, string> Named(string name, string value) => new() { [name] = value };

    private static byte[] Of(PresignedPart part, byte[] content) => content.AsSpan((int)part.Offset, (int)part.Length).ToArray();

    private static string Checksum(ChecksumAlgorithm algorithm, byte[] content)
    {
        using Transfer.S3.Integrity.PartChecksum checksum = new(algorithm);
        checksum.Append(content);
        return checksum.ToBase64()!;
    }

    private async Task<HttpStatusCode> SendAsync(PresignedPart part, byte[] content)
    {
        using HttpRequestMessage request = new(HttpMethod.Put, part.Url) { Content = new ByteArrayContent(Of(part, content)) };
        foreach ((string name, string value) in part.Headers)
        {
            Assert.True(request.Headers.TryAddWithoutValidation(name, value));
        }

        using HttpResponseMessage response = await _stranger.SendAsync(request).Within();
        return response.StatusCode;
    }
}
