using Xunit.Sdk;

namespace Transfer.S3.Tests.Fuzz;

/// <summary>Tests the fuzzer itself: a property that does not hold is found, its input is shrunk, and the seed is reported.</summary>
public sealed class FuzzerTests
{
    [Fact]
    public async Task Text_PropertyFails_ReportsTheSmallestInputAndTheSeed()
    {
        FailException failure = await Assert.ThrowsAsync<FailException>(
            () => Fuzzer.TextAsync(random => Mutation.Text(random, ["a long text with an x in it"]), text => Assert.DoesNotContain('x', text)));

        Assert.Contains("\n\"x\"\n", failure.Message, StringComparison.Ordinal);
        Assert.Contains("TRANSFER_FUZZ_SEED=", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Bytes_PropertyFails_ReportsThemAsALiteral()
    {
        FailException failure = await Assert.ThrowsAsync<FailException>(
            () => Fuzzer.BytesAsync(random => Mutation.NoiseBytes(random), bytes => Assert.DoesNotContain((byte)0xFE, bytes)));

        Assert.Contains("Convert.FromHexString(\"FE\")", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Check_CaseAllocatesTooMuch_Fails()
        => await Assert.ThrowsAsync<FailException>(() => Fuzzer.CheckAsync(random => random.Next(1000), length => Assert.NotNull(new byte[length]), maxBytes: 500));

    [Fact]
    public async Task Check_PropertyHolds_TriesTheSameInputs()
    {
        List<int> first = [];
        List<int> second = [];
        await Fuzzer.CheckAsync(random => random.Next(), first.Add);
        await Fuzzer.CheckAsync(random => random.Next(), second.Add);

        int least = LongTests.Choose(full: 10_000, quick: 500);
        Assert.True(first.Distinct().Count() > 0.99 * least && first.Count >= least);
        Assert.Equal(first, second);
    }
}
