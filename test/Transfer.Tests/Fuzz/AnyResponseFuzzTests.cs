using System.Buffers;
using System.Globalization;
using Amazon.S3;
using Transfer.S3.Buffers;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Wire;

namespace Transfer.S3.Tests.Fuzz;

/// <summary>
/// Each request, answered with any response. It never counts as published without an ETag, never reads more than a limited part of a body that isn't object data, and
/// always ends: with a result or with a <see cref="WireException"/>.
/// </summary>
public sealed class AnyResponseFuzzTests
{
    private const long MaxBytes = 64 << 20;
    private static readonly int Seeds = LongTests.Choose(full: 8_000, quick: 2_000);
    private static readonly byte[] Content = Sample.Bytes(1000);
    private static readonly ObjectAddress Address = new(FakeHttp.Bucket, FakeHttp.Key);
    private static readonly NewObject Target = new(Address, ChecksumAlgorithm.Crc64Nvme, default, new ObjectHeaders());
    private static readonly CopySource Source = new(Address, new ObjectHead(new ObjectInfo { Length = 10, ETag = "\"s\"" }));

    /// <summary>Each request, and whether its result contradicts the response.</summary>
    private static readonly (string Name, Func<IObjectWire, AnyResponse, Task> SendAsync)[] Requests =
    [
        ("PutObject", async (wire, answer) => Published((await wire.PutObjectAsync(Target, Body(), default)).ETag, answer.HasETag)),
        ("UploadPart", async (wire, answer) => Published((await wire.UploadPartAsync(Target, "upload", 1, Body(), default)).ETag, answer.HasETag)),
        ("CompleteMultipartUpload", async (wire, answer) => Published(
            (await wire.CompleteMultipartUploadAsync(Target, "upload", [new UploadedPart(1, "\"e\"", null)], null, 1, default)).ETag, answer.Body.Contains("ETag>", StringComparison.Ordinal))),
        ("CopyObject", async (wire, answer) => Published((await wire.CopyObjectAsync(Source, Target, default)).ETag, answer.Body.Contains("ETag>", StringComparison.Ordinal))),
        ("UploadPartCopy", async (wire, answer) => Published(
            (await wire.UploadPartCopyAsync(Source, Target, "upload", 1, 0, 10, default)).ETag, answer.Body.Contains("ETag>", StringComparison.Ordinal))),
        ("CreateMultipartUpload", async (wire, answer) => Published(await wire.CreateMultipartUploadAsync(Target, default), answer.Body.Contains("UploadId>", StringComparison.Ordinal))),
        ("GetObject", async (wire, answer) =>
        {
            using RangeResponse response = await wire.GetRangeAsync(Address, new RequestedRange(0, 10), ReadCondition.None, wantChecksum: true, default);
            Assert.True(answer.IsOfStore);
            Assert.True(response.Length >= 0 && response.Length <= response.Info.Length);
        }),
        ("GetObject of a known size", async (wire, answer) =>
        {
            using RangeResponse response = await wire.GetRangeAsync(Address, new RequestedRange(0, null) { Total = 10 }, ReadCondition.None, wantChecksum: false, default);
            Assert.True(answer.IsOfStore);
        }),
        ("HeadObject", async (wire, answer) =>
        {
            Assert.True((await wire.HeadAsync(Address, default)).Info.Length >= 0);
            Assert.True(answer.IsOfStore);
        }),
        ("GetObjectAttributes", (wire, _) => wire.GetAttributesChecksumAsync(Address, null, default)),
        ("ListObjects", async (wire, answer) =>
        {
            await wire.ListAsync(new ListQuery(FakeHttp.Bucket, "p/", ReadAccess.Plain), null, default);
            Assert.True(answer.IsOfStore || answer.Body.Contains("ListBucketResult", StringComparison.Ordinal));
        }),
        ("ListBuckets", async (wire, answer) =>
        {
            await wire.ListBucketsAsync(null, default);
            Assert.Matches("ListAllMyBucketsResult|<Owner>|<Bucket>", answer.IsOfStore ? "<Bucket>" : answer.Body); // the SDK ignores the name of the root element
        }),
        ("GetObjectAttributes of parts", async (wire, answer) => Assert.All(
            (await wire.ListStoredPartsAsync(Address, null, null, default))?.Items ?? [], static part => Assert.True(part is { Number: > 0, Length: >= 0 }))),
        ("AbortMultipartUpload", (wire, _) => wire.AbortMultipartUploadAsync(Address, "upload", default)),
        ("ListParts", async (wire, answer) =>
        {
            await wire.ListPartsAsync(Address, "upload", null, default);
            Assert.Contains("UploadId>", answer.Body, StringComparison.Ordinal);
        }),
        ("ListMultipartUploads", async (wire, answer) =>
        {
            await wire.ListUploadsAsync(FakeHttp.Bucket, "p/", null, default);
            Assert.Matches("ListMultipartUploadsResult|<Bucket>", answer.IsOfStore ? "<Bucket>" : answer.Body); // the SDK ignores the name of the root element
        }),
        ("DeleteObject", async (wire, answer) =>
        {
            await wire.DeleteObjectAsync(Address, null, default);
            Assert.True(answer.IsOfStore || answer.Status == System.Net.HttpStatusCode.NoContent);
        }),
        ("DeleteObjects", async (wire, answer) =>
        {
            await wire.DeleteObjectsAsync(FakeHttp.Bucket, [new ObjectDeletion("a"), new ObjectDeletion("b", "\"e\"")], ReadAccess.Plain, default);
            Assert.Matches("DeleteResult|<Error>", answer.IsOfStore ? "<Error>" : answer.Body); // the SDK ignores the name of the root element
        }),
        ("GetObjectTagging", (wire, _) => wire.GetTagsAsync(Address, default)),
    ];

    [Theory]
    [InlineData(TransferWire.Http)]
    [InlineData(TransferWire.Sdk)]
    public async Task AnyResponse_IsAResultOrAnError(TransferWire choice)
    {
        AnyResponse? answer = null;
        FakeHttp http = new(_ => answer!.Create());
        using AmazonS3Client s3 = http.NewS3();
        int published = 0;
        for (int seed = 0; seed < Seeds; seed++)
        {
            (string name, Func<IObjectWire, AnyResponse, Task> sendAsync) = Requests[seed % Requests.Length];
            answer = new AnyResponse(seed, isForSdk: choice == TransferWire.Sdk);
            using WireRouter wires = WireSelection.Create(s3, WireSettings.Default with { Wire = choice }); // remembers nothing of other responses
            try
            {
                await sendAsync(wires.For(FakeHttp.Bucket), answer).Within();
                published++;
            }
            catch (WireException)
            {
                // An error is an end.
            }
#pragma warning disable CA1031 // any other exception is a failure, which names the seed
            catch (Exception e)
#pragma warning restore CA1031
            {
                Assert.Fail(string.Create(CultureInfo.InvariantCulture, $"Seed {seed}, {name}: {answer}\n{e}"));
            }

            Assert.True(answer.BytesRead <= MaxBytes, string.Create(CultureInfo.InvariantCulture, $"Seed {seed}, {name}: {answer.BytesRead} bytes of the body were read: {answer}"));
        }

        Assert.InRange(published, 1, Seeds / 2); // both outcomes occur
    }

    private static RequestBody Body() => new(new SequenceBytes(new ReadOnlySequence<byte>(Content)), null);

    private static void Published(string result, bool isInResponse)
    {
        Assert.NotEmpty(result);
        Assert.True(isInResponse);
    }
}
