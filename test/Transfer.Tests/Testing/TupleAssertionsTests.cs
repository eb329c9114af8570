using Xunit.Sdk;

namespace Transfer.S3.Tests.Testing;

public sealed class TupleAssertionsTests
{
    [Fact]
    public void EachEqual_SomeDiffer_NamesThem()
    {
        (int objects, string? key, int[] sizes) = (1, null, [2, 3]);

        XunitException e = Assert.ThrowsAny<XunitException>(() => Assert.EachEqual((2, "a,b", [2, 3], 5L, ','), (objects, key, sizes, long.Max(4, 5), ";,"[0])));

        Assert.Equal($"objects: expected 2, but was 1{Environment.NewLine}key: expected a,b, but was null{Environment.NewLine}\";,\"[0]: expected ,, but was ;", e.Message);
    }

    [Fact]
    public void EachEqual_IsNotWrittenAsATuple_SaysWhichElement()
    {
        (int, int) both = (1, 2);

        XunitException e = Assert.ThrowsAny<XunitException>(() => Assert.EachEqual((1, 3), both));

        Assert.Equal("element 2 of both: expected 3, but was 2", e.Message);
    }

    [Fact]
    public void EachEqual_AllAreEqual_Passes() => Assert.EachEqual((1, "a", (double?)null, 2L), (1, "a", null, 2));
}
