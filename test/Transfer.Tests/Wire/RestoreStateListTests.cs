using System.Net;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Wire;

namespace Transfer.S3.Tests.Wire;

/// <summary>Listings that ask for the states of restorations, which some stores return, others ignore, and others refuse.</summary>
public sealed class RestoreStateListTests
{
    private const string Asked = "x-amz-optional-object-attributes";

    private static readonly ListQuery Query = new(FakeHttp.Bucket, string.Empty, ReadAccess.Plain) { WithRestoreStates = true };

    [Theory]
    [InlineData(TransferWire.Http)]
    [InlineData(TransferWire.Sdk)]
    public async Task States_AreRead(TransferWire wire)
    {
        FakeHttp http = new(_ => Page("""
            <Contents><Key>a</Key><Size>1</Size><StorageClass>GLACIER</StorageClass><RestoreStatus><IsRestoreInProgress>true</IsRestoreInProgress></RestoreStatus></Contents>
            <Contents><Key>b</Key><Size>1</Size><StorageClass>GLACIER</StorageClass><RestoreStatus><IsRestoreInProgress>false</IsRestoreInProgress><RestoreExpiryDate>2026-11-25T00:00:00.000Z</RestoreExpiryDate></RestoreStatus></Contents>
            <Contents><Key>c</Key><Size>1</Size><StorageClass>GLACIER</StorageClass></Contents>
            """));
        using FakeWires wires = new(http, wire);

        Page<ListedObject> page = await wires.For(FakeHttp.Bucket).ListAsync(Query, null, CancellationToken.None).Within();
        await wires.For(FakeHttp.Bucket).ListAsync(Query with { WithRestoreStates = false }, null, CancellationToken.None).Within();

        Assert.Equal(
            [new RestoreState { IsInProgress = true }, new RestoreState { IsInProgress = false, Until = new DateTimeOffset(2026, 11, 25, 0, 0, 0, TimeSpan.Zero) }, null],
            page.Items.Select(item => item.Restore));
        Assert.Equal(["RestoreStatus", null], http.Requests.Select(request => FakeHttp.Header(request, Asked)));
    }

    [Theory]
    [InlineData(HttpStatusCode.NotImplemented, "NotImplemented")]
    [InlineData(HttpStatusCode.BadRequest, "InvalidArgument")]
    public async Task StoreRefusesTheHeader_IsAskedOnlyOnce(HttpStatusCode status, string code)
    {
        FakeHttp http = new(request => FakeHttp.Header(request, Asked) is null ? Page("<Contents><Key>a</Key><Size>1</Size></Contents>") : FakeHttp.Error(status, code));
        using FakeWires wires = new(http);

        for (int i = 0; i < 2; i++)
        {
            Assert.Equal("a", Assert.Single((await wires.For(FakeHttp.Bucket).ListAsync(Query, null, CancellationToken.None).Within()).Items).Key);
        }

        Assert.Equal(["RestoreStatus", null, null], http.Requests.Select(request => FakeHttp.Header(request, Asked)));
    }

    [Fact]
    public async Task ListingFailsForAnotherReason_TheFirstErrorOfTheStoreIsThrown()
    {
        FakeHttp http = new(_ => FakeHttp.Error(HttpStatusCode.BadRequest, "InvalidRequest"));
        using FakeWires wires = new(http);

        WireException error = await Assert.ThrowsAsync<WireException>(() => wires.For(FakeHttp.Bucket).ListAsync(Query, null, CancellationToken.None)).Within();

        Assert.Equal("InvalidRequest", error.ErrorCode);
        Assert.Equal(2, http.Requests.Count);
    }

    private static HttpResponseMessage Page(string rows)
        => FakeHttp.Answer(HttpStatusCode.OK, $"<ListBucketResult><Name>bucket</Name><KeyCount>1</KeyCount>{rows}<IsTruncated>false</IsTruncated></ListBucketResult>");
}
