using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.Server.Checksums;

namespace Transfer.S3.IntegrationTests.Server;

public sealed class ConditionAndRangeTests : RawServerTest
{
    private const string Long = "Fri, 01 Jan 2100 00:00:00 GMT";
    private const string Past = "Sat, 01 Jan 2000 00:00:00 GMT";
    private static readonly byte[] Data = Sample.Bytes(1000);

    [Theory]
    [InlineData("If-Match", "{0}", 200)]
    [InlineData("If-Match", "\"x\", {0}", 200)]
    [InlineData("If-Match", "*", 200)]
    [InlineData("If-Match", "\"x\"", 412)]
    [InlineData("If-None-Match", "{0}", 304)]
    [InlineData("If-None-Match", "W/{0}", 304)]
    [InlineData("If-None-Match", "\"x\"", 200)]
    [InlineData("If-Modified-Since", Past, 200)]
    [InlineData("If-Modified-Since", Long, 304)]
    [InlineData("If-Unmodified-Since", Past, 412)]
    [InlineData("If-Unmodified-Since", Long, 200)]
    public async Task Read_Condition_DeterminesTheStatus(string header, string value, int status)
    {
        string etag = (await PutAsync("/bucket/k", Data)).Header("ETag")!;

        RawAnswer get = await Raw.SendSignedAsync("GET", "/bucket/k", headers: (header, string.Format(value, etag)));
        RawAnswer head = await Raw.SendSignedAsync("HEAD", "/bucket/k", headers: (header, string.Format(value, etag)));

        Assert.EachEqual((status, status), (get.Status, head.Status));
        Assert.Equal(status == 200 ? 1000 : 0, status == 412 ? 0 : get.Body.Length);
        Assert.Empty(head.Body);
        if (status != 412)
        {
            Assert.EachEqual((etag, etag), (get.Header("ETag"), head.Header("ETag")));
        }
    }

    [Fact]
    public async Task Read_ETagAndDate_ETagTakesPrecedence()
    {
        string etag = (await PutAsync("/bucket/k", Data)).Header("ETag")!;

        Assert.Equal(200, (await Raw.SendSignedAsync("GET", "/bucket/k", null, ("If-Match", etag), ("If-Unmodified-Since", Past))).Status);
        Assert.Equal(304, (await Raw.SendSignedAsync("GET", "/bucket/k", null, ("If-None-Match", etag), ("If-Modified-Since", Past))).Status);
        Assert.Equal(200, (await Raw.SendSignedAsync("GET", "/bucket/k", null, ("If-None-Match", "\"x\""), ("If-Modified-Since", Long))).Status);
    }

    [Theory]
    [InlineData("bytes=0-0", 206, 0, 1)]
    [InlineData("bytes=990-2000", 206, 990, 10)]
    [InlineData("bytes=-10", 206, 990, 10)]
    [InlineData("bytes=0-1,3-4", 200, 0, 1000)]
    [InlineData("nonsense", 200, 0, 1000)]
    public async Task Read_Range_ReturnsItsBytes(string range, int status, int offset, int count)
    {
        await PutAsync("/bucket/k", Data);

        RawAnswer get = await Raw.SendSignedAsync("GET", "/bucket/k", headers: ("Range", range));
        RawAnswer head = await Raw.SendSignedAsync("HEAD", "/bucket/k", headers: ("Range", range));

        Assert.EachEqual((status, status), (get.Status, head.Status));
        Assert.Equal(Data[offset..(offset + count)], get.Body);
        Assert.Equal($"{count}", head.Header("Content-Length"));
        string? contentRange = status == 206 ? $"bytes {offset}-{offset + count - 1}/1000" : null;
        Assert.EachEqual((contentRange, contentRange), (get.Header("Content-Range"), head.Header("Content-Range")));
        Assert.Equal(range, Server.Requests[^1].Range);
    }

    [Theory]
    [InlineData("bytes=0-", 0)]
    [InlineData("bytes=-1", 0)]
    [InlineData("bytes=1000-", 1000)]
    public async Task Read_RangeOutsideTheObject_IsInvalidRangeWithTheSize(string range, int size)
    {
        await PutAsync("/bucket/k", Data[..size]);

        RawAnswer answer = await Raw.SendSignedAsync("GET", "/bucket/k", headers: ("Range", range));

        Fails(answer, 416, "InvalidRange");
        Assert.Equal($"{size}", answer.Element("ActualObjectSize"));
    }

    [Fact]
    public async Task Read_PartNumberOfAnEmptyObject_IsTheWholeObject()
    {
        await PutAsync("/bucket/k", []);

        RawAnswer answer = await Raw.SendSignedAsync("GET", "/bucket/k?partNumber=1");

        Assert.EachEqual((206, 0, null), (answer.Status, answer.Body.Length, answer.Header("Content-Range")));
        Fails(await Raw.SendSignedAsync("GET", "/bucket/k?partNumber=2"), 416, "InvalidPartNumber");
        Fails(await Raw.SendSignedAsync("GET", "/bucket/k?partNumber=0"), 400, "InvalidArgument");
        Fails(await Raw.SendSignedAsync("GET", "/bucket/k?partNumber=1", headers: ("Range", "bytes=0-0")), 400, "InvalidRequest");
    }

    [Fact]
    public async Task Read_ChecksumModeWithARange_ReturnsNoChecksum()
    {
        await PutAsync("/bucket/k", Data);
        string checksum = RunningChecksum.Compute(ChecksumAlgorithm.Crc64Nvme, Data);

        Assert.Equal(checksum, (await ReadAsync("GET", "bytes=0-")).Header("x-amz-checksum-crc64nvme"));
        Assert.Equal("FULL_OBJECT", (await ReadAsync("HEAD", "bytes=0-999")).Header("x-amz-checksum-type"));
        Assert.Null((await ReadAsync("GET", "bytes=0-998")).Header("x-amz-checksum-crc64nvme"));
        Assert.Null((await Raw.SendSignedAsync("GET", "/bucket/k")).Header("x-amz-checksum-crc64nvme"));
    }

    [Fact]
    public async Task Read_ResponseOverrides_ReplaceHeaders()
    {
        await PutAsync("/bucket/k", Data);

        RawAnswer answer = await Raw.SendSignedAsync(
            "GET", "/bucket/k?response-content-type=text%2Fx&response-cache-control=no-store&response-content-disposition=attachment%3B%20filename%3Da");

        Assert.Equal("text/x", answer.Header("Content-Type"));
        Assert.Equal("no-store", answer.Header("Cache-Control"));
        Assert.Equal("attachment; filename=a", answer.Header("Content-Disposition"));
    }

    [Fact]
    public async Task Delete_IfMatch_IsHonored()
    {
        string etag = (await PutAsync("/bucket/k", Data)).Header("ETag")!;

        Fails(await Raw.SendSignedAsync("DELETE", "/bucket/k", headers: ("If-Match", "\"x\"")), 412, "PreconditionFailed");
        Assert.Equal(204, (await Raw.SendSignedAsync("DELETE", "/bucket/k", headers: ("If-Match", etag))).Status);
        Assert.Equal(204, (await Raw.SendSignedAsync("DELETE", "/bucket/k")).Status);
    }

    private Task<RawAnswer> ReadAsync(string method, string range) =>
        Raw.SendSignedAsync(method, "/bucket/k", null, ("Range", range), ("x-amz-checksum-mode", "ENABLED"));
}
