using System.Net;
using Amazon.S3;
using Amazon.S3.Model;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Wire;

namespace Transfer.S3.Tests.Wire;

/// <summary>Redirections of the SDK's wire. The SDK itself follows them to any host whose name looks like one of S3.</summary>
public sealed class SdkRedirectGuardTests
{
    private const string Tags = "<Tagging><TagSet><Tag><Key>a</Key><Value>b</Value></Tag></TagSet></Tagging>";
    private static readonly ObjectAddress Address = new(FakeHttp.Bucket, FakeHttp.Key, null, new ReadAccess(RequesterPays: false, new CustomerKey(new byte[32])));

    [Theory]
    [InlineData("https://s3.evil.example:19118/bucket/key", "not one of its hosts")]
    [InlineData("https://s3.us-west-2.evil-amazonaws.com/bucket/key", "not one of its hosts")]
    [InlineData("http://bucket.s3.eu-west-1.amazonaws.com/key", "redirects from HTTPS to HTTP are not followed")]
    public async Task ForeignHost_IsRejectedWithoutARequestToIt(string location, string reason)
    {
        FakeHttp http = new(_ => FakeHttp.Error(HttpStatusCode.TemporaryRedirect, "TemporaryRedirect", ("Location", location)));
        using FakeWires wires = new(http, TransferWire.Sdk);
        IObjectWire wire = wires.For(FakeHttp.Bucket);

        Func<Task>[] calls =
        [
            () => wire.HeadAsync(Address, CancellationToken.None),
            () => wire.GetRangeAsync(Address, new RequestedRange(0, 10), ReadCondition.None, wantChecksum: true, CancellationToken.None),
            () => wire.GetTagsAsync(Address, CancellationToken.None),
            () => wire.ListPartsAsync(Address, "u", null, CancellationToken.None),
            () => wire.ListUploadsAsync(FakeHttp.Bucket, string.Empty, null, CancellationToken.None),
            () => wire.AbortMultipartUploadAsync(Address, "u", CancellationToken.None),
        ];
        foreach (Func<Task> call in calls)
        {
            WireException e = await Assert.ThrowsAsync<WireException>(() => call().Within());
            Assert.Contains(reason, e.Message, StringComparison.Ordinal);
        }

        Assert.All(http.Requests, request => Assert.Equal("bucket.s3.us-west-2.amazonaws.com", request.RequestUri!.Host));
    }

    [Fact]
    public async Task HostOfTheStore_IsFollowed()
    {
        FakeHttp http = new(request => request.RequestUri!.Host.Contains("eu-west-1", StringComparison.Ordinal) ? FakeHttp.Answer(HttpStatusCode.OK, Tags)
            : FakeHttp.Error(HttpStatusCode.TemporaryRedirect, "TemporaryRedirect", ("Location", "https://bucket.s3.eu-west-1.amazonaws.com/key?tagging")));
        using AmazonS3Client s3 = http.NewS3();
        using WireRouter wires = WireSelection.Create(s3, WireSettings.Default with { Wire = TransferWire.Sdk });
        using WireRouter again = WireSelection.Create(s3, WireSettings.Default with { Wire = TransferWire.Sdk }); // a client has one guard, however many transfer clients use it

        Assert.Equal("b", (await wires.For(FakeHttp.Bucket).GetTagsAsync(Address, CancellationToken.None).Within())["a"]);
        Assert.Equal("b", (await again.For(FakeHttp.Bucket).GetTagsAsync(Address, CancellationToken.None).Within())["a"]);
        Assert.Equal(4, http.Requests.Count);
    }

    /// <summary>The client belongs to the caller, whose own requests are sent as before.</summary>
    [Fact]
    public async Task RequestsOfTheCaller_AreNotChecked()
    {
        FakeHttp http = new(request => request.RequestUri!.Host == "s3.other.amazonaws.com.example" ? FakeHttp.Answer(HttpStatusCode.OK, Tags)
            : FakeHttp.Error(HttpStatusCode.TemporaryRedirect, "TemporaryRedirect", ("Location", "https://s3.other.amazonaws.com.example/bucket/key?tagging")));
        using AmazonS3Client s3 = http.NewS3();
        using WireRouter wires = WireSelection.Create(s3, WireSettings.Default with { Wire = TransferWire.Sdk });
        await Assert.ThrowsAsync<WireException>(() => wires.For(FakeHttp.Bucket).GetTagsAsync(Address, CancellationToken.None).Within()); // now the client has the guard
        GetObjectTaggingRequest request = new() { BucketName = FakeHttp.Bucket, Key = FakeHttp.Key };

        Exception? e = await Record.ExceptionAsync(() => s3.GetObjectTaggingAsync(request).Within());

        Assert.DoesNotContain("not one of its hosts", e?.Message ?? string.Empty, StringComparison.Ordinal);
    }
}
