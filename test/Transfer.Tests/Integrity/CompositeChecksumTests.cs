using Transfer.S3.Integrity;

namespace Transfer.S3.Tests.Integrity;

public sealed class CompositeChecksumTests
{
    [Theory]
    [InlineData("IeWCXQ==-2", 2)]
    [InlineData("IeWCXQ==-10000", 10_000)]
    [InlineData("IeWCXQ==", null)]
    [InlineData("IeWCXQ==-", null)]
    [InlineData("IeWCXQ==-0", null)]
    [InlineData("IeWCXQ==-+2", null)]
    [InlineData("IeWCXQ==-2-2", null)]
    [InlineData("IeWCXQ==-99999999999", null)]
    [InlineData("", null)]
    public void GetPartCount_NumberSuffix_IsTheNumberOfParts(string value, int? parts) => Assert.Equal(parts, CompositeChecksum.GetPartCount(value));

    [Theory]
    [InlineData(ChecksumAlgorithm.Crc32C, "IeWCXQ==-2", true, null, "IeWCXQ==-2", true)]
    [InlineData(ChecksumAlgorithm.Crc32C, "IeWCXQ==", true, "\"0123456789abcdef0123456789abcdef-2\"", "IeWCXQ==-2", true)]
    [InlineData(ChecksumAlgorithm.Crc32C, "IeWCXQ==", true, "\"opaque\"", "IeWCXQ==", true)] // the number of parts is unknown
    [InlineData(ChecksumAlgorithm.Crc32C, "IeWCXQ==", false, "\"0123456789abcdef0123456789abcdef-2\"", "IeWCXQ==", false)] // the full-object CRC of a multipart object
    [InlineData(ChecksumAlgorithm.Sha256, "abc=", false, "\"0123456789abcdef0123456789abcdef-2\"", "abc=-2", true)] // a multipart object has no full-object SHA
    [InlineData(ChecksumAlgorithm.Sha1, "abc=", false, "\"0123456789abcdef0123456789abcdef\"", "abc=", false)]
    [InlineData(ChecksumAlgorithm.XxHash128, "abc=", false, "\"0123456789abcdef0123456789abcdef-2\"", "abc=-2", true)]
    public void Complete_AddsMissingPropertiesFromTheETag(ChecksumAlgorithm algorithm, string value, bool isComposite, string? etag, string completeValue, bool isCompleteComposite)
        => Assert.Equal(new StoredChecksum { Algorithm = algorithm, Value = completeValue, IsComposite = isCompleteComposite }, CompositeChecksum.Complete(new StoredChecksum { Algorithm = algorithm, Value = value, IsComposite = isComposite }, type: null, etag));

    [Theory]
    [InlineData("FULL_OBJECT", "abc=", false)]
    [InlineData("COMPOSITE", "abc=-2", true)]
    [InlineData(null, "abc=-2", true)]
    [InlineData("", "abc=-2", true)]
    public void Complete_HashOfAMultipartObject_IsWhatTheStoreSays(string? type, string value, bool isComposite)
        => Assert.Equal(
            new StoredChecksum { Algorithm = ChecksumAlgorithm.Sha512, Value = value, IsComposite = isComposite },
            CompositeChecksum.Complete(ChecksumTable.ToStored(ChecksumAlgorithm.Sha512, "abc=", type), type, "\"0123456789abcdef0123456789abcdef-2\""));
}
