using System.Net;
using Amazon.Runtime;
using Amazon.S3;
using Amazon.S3.Model;
using Amazon.S3.Transfer;
using Moq;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.TransferUtility;

namespace Transfer.S3.Tests.Compatibility;

/// <summary>Directory downloads through a mocked <see cref="IAmazonS3"/>, set up as in the tests of the SDK's utility and of its users.</summary>
public sealed class MockedListingTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData(MockBehavior.Loose)]
    [InlineData(MockBehavior.Strict)]
    public async Task Response_WithObjectsOnly_IsAListing(MockBehavior behavior)
    {
        Mock<IAmazonS3> s3 = Mocked(behavior);
        SetUpFirst(s3, _ => new ListObjectsResponse { S3Objects = [Listed("dir/a"), Listed("dir/b/c")] });

        Assert.Equal(["a", "b/c"], await DownloadAsync(s3));
    }

    [Theory]
    [InlineData(HttpStatusCode.OK)]
    [InlineData((HttpStatusCode)0)]
    public async Task Response_Empty_IsAnEmptyListing(HttpStatusCode status)
    {
        Mock<IAmazonS3> s3 = Mocked(MockBehavior.Loose);
        SetUpFirst(s3, _ => new ListObjectsResponse { HttpStatusCode = status });

        Assert.Empty(await DownloadAsync(s3));
    }

    [Fact]
    public async Task Pages_WithMarkersOnly_AreFollowed()
    {
        Mock<IAmazonS3> s3 = Mocked(MockBehavior.Strict);
        SetUpFirst(s3, request => request.Marker is null
            ? new ListObjectsResponse { S3Objects = [Listed("dir/a")], NextMarker = "dir/a" }
            : new ListObjectsResponse { S3Objects = [Listed("dir/b")] });

        Assert.Equal(["a", "b"], await DownloadAsync(s3));
        s3.Verify(client => client.ListObjectsAsync(It.Is<ListObjectsRequest>(r => r.Marker == "dir/a" && r.Prefix == "dir/"), It.IsAny<CancellationToken>()), Times.Once);
    }

    [Fact]
    public async Task Object_ListedTwice_IsDownloadedOnce()
    {
        Mock<IAmazonS3> s3 = Mocked(MockBehavior.Strict);
        SetUpFirst(s3, request => request.Marker is null
            ? new ListObjectsResponse { S3Objects = [Listed("dir/a")], NextMarker = "dir/a" }
            : new ListObjectsResponse { S3Objects = [Listed("dir/a"), Listed("dir/b")] });

        Assert.Equal(["a", "b"], await DownloadAsync(s3));
        s3.Verify(client => client.GetObjectAsync(It.IsAny<GetObjectRequest>(), It.IsAny<CancellationToken>()), Times.Exactly(2));
    }

    [Fact]
    public async Task Key_NotUnderThePrefix_IsAFailure()
    {
        Mock<IAmazonS3> s3 = Mocked(MockBehavior.Strict);
        SetUpFirst(s3, _ => new ListObjectsResponse { S3Objects = [Listed("dir/a"), Listed("other/b"), Listed("dir/c")] });

        AmazonServiceException e = await Assert.ThrowsAnyAsync<AmazonServiceException>(() => DownloadAsync(s3));

        Assert.Contains("s3://bucket/other/b is not under 'dir/'", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task EncodedKeysAndMarkers_AreDecoded()
    {
        Mock<IAmazonS3> s3 = Mocked(MockBehavior.Strict);
        SetUpFirst(s3, request => request.Marker is null
            ? new ListObjectsResponse { S3Objects = [Listed("dir/a+%2B")], IsTruncated = true, Encoding = EncodingType.Url }
            : new ListObjectsResponse { S3Objects = [Listed("dir/b")] });

        Assert.Equal(["a +", "b"], await DownloadAsync(s3));
        s3.Verify(client => client.ListObjectsAsync(It.Is<ListObjectsRequest>(r => r.Marker == "dir/a +"), It.IsAny<CancellationToken>()), Times.Once);
    }

    [Fact]
    public async Task StoreWithoutListObjects_ListObjectsV2IsUsed()
    {
        Mock<IAmazonS3> s3 = Mocked(MockBehavior.Strict);
        SetUpFirst(s3, _ => throw FakeS3.Error(HttpStatusCode.NotImplemented, "NotImplemented"));
        SetUpSecond(s3);

        Assert.Equal(["a", "b"], await DownloadAsync(s3));
        s3.Verify(client => client.ListObjectsAsync(It.IsAny<ListObjectsRequest>(), It.IsAny<CancellationToken>()), Times.Once);
    }

    [Fact]
    public async Task LooseMock_OnlyListObjectsV2_IsUsed()
    {
        Mock<IAmazonS3> s3 = Mocked(MockBehavior.Loose);
        SetUpSecond(s3);

        Assert.Equal(["a", "b"], await DownloadAsync(s3));
    }

    [Fact]
    public async Task LooseMock_NoListing_ErrorSaysSo()
    {
        AmazonServiceException e = await Assert.ThrowsAnyAsync<AmazonServiceException>(() => DownloadAsync(Mocked(MockBehavior.Loose)));

        Assert.Contains("returned null", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Failure_IsPassedOn()
    {
        AmazonS3Exception error = FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied");
        Mock<IAmazonS3> s3 = Mocked(MockBehavior.Strict);
        SetUpFirst(s3, _ => throw error);

        Assert.Same(error, await Assert.ThrowsAnyAsync<AmazonServiceException>(() => DownloadAsync(s3)));
    }

    [Fact]
    public async Task ClientOfTheCaller_UsesListObjectsV2()
    {
        Mock<IAmazonS3> s3 = Mocked(MockBehavior.Strict);
        SetUpSecond(s3);
        await using TransferClient client = new(s3.Object);

        DirectoryResult result = await client.DownloadDirectoryAsync("bucket", "dir", _folder.Path).Within();

        Assert.Equal(2, result.Counts.Copied);
    }

    private static Mock<IAmazonS3> Mocked(MockBehavior behavior)
    {
        Mock<IAmazonS3> s3 = new(behavior);
        s3.SetupGet(client => client.Config).Returns(new AmazonS3Config());
        s3.Setup(client => client.GetObjectAsync(It.IsAny<GetObjectRequest>(), It.IsAny<CancellationToken>())).ReturnsAsync(() => new GetObjectResponse
        {
            ContentLength = 3,
            ETag = "\"tag\"",
            ResponseStream = new MemoryStream([1, 2, 3]),
        });
        return s3;
    }

    private static void SetUpFirst(Mock<IAmazonS3> s3, Func<ListObjectsRequest, ListObjectsResponse> answer)
        => s3.Setup(client => client.ListObjectsAsync(It.IsAny<ListObjectsRequest>(), It.IsAny<CancellationToken>()))
            .Returns((ListObjectsRequest request, CancellationToken _) => Task.FromResult(answer(request)));

    private static void SetUpSecond(Mock<IAmazonS3> s3)
        => s3.Setup(client => client.ListObjectsV2Async(It.IsAny<ListObjectsV2Request>(), It.IsAny<CancellationToken>()))
            .Returns((ListObjectsV2Request request, CancellationToken _) => Task.FromResult(request.ContinuationToken is null
                ? new ListObjectsV2Response { S3Objects = [Listed("dir/a")], IsTruncated = true, NextContinuationToken = "next" }
                : new ListObjectsV2Response { S3Objects = [Listed("dir/b")] }));

    private static S3Object Listed(string key) => new() { Key = key, Size = 3, ETag = "\"tag\"" };

    private async Task<string[]> DownloadAsync(Mock<IAmazonS3> s3)
    {
        using TransferUtilityAdapter adapter = new(s3.Object);
        TransferUtilityDownloadDirectoryRequest request = new() { BucketName = "bucket", S3Directory = "dir", LocalDirectory = _folder.Path };
        await adapter.DownloadDirectoryWithResponseAsync(request).Within();
        return
        [
            .. Directory.GetFiles(_folder.Path, "*", SearchOption.AllDirectories).Select(path => Path.GetRelativePath(_folder.Path, path)).Order(StringComparer.Ordinal),
        ];
    }
}
