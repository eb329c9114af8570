using Transfer.S3.Wire;

namespace Transfer.S3.Tests.Wire;

public sealed class StoredPartTests
{
    [Fact]
    public void Of_ContentRange_IsItsRange() => Assert.Equal(new StoredPart(100, 50, 201, 3), StoredPart.Parse("bytes 100-149/201", 3, "\"e\"", "e"));

    [Theory]
    [InlineData(null)]
    [InlineData("")]
    [InlineData("bytes 0-300/201")]
    [InlineData("bytes 0-100/*")]
    public void Of_NoValidContentRange_IsUnknown(string? contentRange) => Assert.Null(StoredPart.Parse(contentRange, 3, "e", "e"));

    [Fact]
    public void Of_AnotherObjectState_IsAFailedCondition()
        => Assert.Equal(FailureKind.PreconditionFailed, Assert.Throws<WireException>(() => StoredPart.Parse("bytes 100-149/201", 3, "\"f\"", "\"e\"")).Kind);
}
