using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.Server;
using Transfer.S3.Server.Checksums;

namespace Transfer.S3.IntegrationTests.Server;

public sealed class DiscardTests : RawServerTest
{
    private static readonly byte[] Data = Sample.Bytes(2_000_000);

    protected override EmbeddedS3ServerOptions Options() => new() { Buckets = ["bucket"], Discard = true };

    [Fact]
    public async Task Put_Discarded_KeepsSizeAndChecksumAndReadsAsZeros()
    {
        string checksum = RunningChecksum.Compute(ChecksumAlgorithm.Crc32C, Data);
        RawAnswer put = await Raw.SendSignedAsync("PUT", "/bucket/k", Data, ("x-amz-checksum-crc32c", checksum));
        Assert.Matches("^\"[0-9a-f]{32}-1\"$", put.Header("ETag"));

        RawAnswer head = await Raw.SendSignedAsync("HEAD", "/bucket/k", headers: ("x-amz-checksum-mode", "ENABLED"));
        Assert.EachEqual((checksum, "2000000"), (head.Header("x-amz-checksum-crc32c"), head.Header("Content-Length")));
        RawAnswer get = await Raw.SendSignedAsync("GET", "/bucket/k", null, ("x-amz-checksum-mode", "ENABLED"), ("Range", "bytes=1-1000000"));
        Assert.Equal(new byte[1_000_000], get.Body);
        Assert.Null(get.Header("x-amz-checksum-crc32c"));
    }

    [Fact]
    public async Task Put_WrongChecksums_AreStillDetected()
    {
        Fails(await Raw.SendSignedAsync("PUT", "/bucket/k", Data, ("x-amz-checksum-crc64nvme", "AAAAAAAAAAA=")), 400, "BadDigest");
        Fails(await Raw.SendSignedAsync("PUT", "/bucket/k", Data, ("Content-MD5", "1B2M2Y8AsgTpgAmY7PhCfg==")), 400, "BadDigest");
    }

    [Fact]
    public async Task Put_SameBytes_HaveTheSameETagAndOthersDoNot()
    {
        RawAnswer first = await PutAsync("/bucket/1", Data);
        RawAnswer second = await PutAsync("/bucket/2", Data);
        RawAnswer other = await PutAsync("/bucket/3", Sample.Bytes(2_000_000, seed: 2));

        Assert.Equal(first.Header("ETag"), second.Header("ETag"));
        Assert.NotEqual(first.Header("ETag"), other.Header("ETag"));
    }
}
