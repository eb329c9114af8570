using System.Text;
using Transfer.S3.Server.Checksums;

namespace Transfer.S3.Tests.Server;

public sealed class ChecksumCombinerTests
{
    private static readonly byte[] First = Encoding.ASCII.GetBytes("123456789");
    private static readonly byte[] Second = Encoding.ASCII.GetBytes("hello world!");

    [Theory]
    [InlineData("CRC32", "hKp4mg==")]
    [InlineData("CRC32C", "duoqwg==")]
    [InlineData("CRC64NVME", "LeZpPLjYrUg=")]
    public void FullObject_TwoParts_KnownValue(string name, string expected)
    {
        ChecksumAlgorithm algorithm = ChecksumInfo.FromApiName(name)!.Algorithm;

        Assert.Equal(
            expected,
            ChecksumCombiner.FullObject(
                algorithm,
                [(RunningChecksum.Compute(algorithm, First), First.Length), (RunningChecksum.Compute(algorithm, Second), Second.Length)]));
        Assert.Equal(expected, RunningChecksum.Compute(algorithm, [.. First, .. Second]));
    }

    [Theory]
    [InlineData("CRC32C", "IeWCXQ==-2")]
    [InlineData("SHA256", "hHQ3wVqSVxs9IAhGVka0uHj97Uu2MBy/PPPB39uiRkI=-2")]
    public void Composite_TwoParts_KnownValue(string name, string expected)
    {
        ChecksumAlgorithm algorithm = ChecksumInfo.FromApiName(name)!.Algorithm;

        Assert.Equal(
            expected,
            ChecksumCombiner.Composite(algorithm, [RunningChecksum.Compute(algorithm, First), RunningChecksum.Compute(algorithm, Second)]));
    }

    [Theory]
    [InlineData("crc32", "y/Q5Jg==", true)]
    [InlineData("crc32", "y/Q5Jg", false)]
    [InlineData("crc32", "rosUhgp5mIg=", false)]
    [InlineData("crc64nvme", "rosUhgp5mIg=", true)]
    [InlineData("sha256", "", false)]
    [InlineData("sha1", "!!!!", false)]
    public void IsWellFormed_Value_MustBeBase64OfTheRightLength(string name, string value, bool expected) =>
        Assert.Equal(expected, ChecksumInfo.FromApiName(name)!.IsWellFormed(value));
}
