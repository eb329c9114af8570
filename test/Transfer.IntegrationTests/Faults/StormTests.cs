using System.Globalization;

namespace Transfer.S3.IntegrationTests.Faults;

/// <summary>
/// Runs many concurrent transfers with all kinds of faults. <c>TRANSFER_STORM_SECONDS</c> (30, or 5 in a quick run, at most 1,800) sets the
/// duration, and <c>TRANSFER_SEED</c> the random numbers. A failure reports its seed.
/// </summary>
[CollectionDefinition(nameof(StormTests), DisableParallelization = true)]
[Collection(nameof(StormTests))]
public sealed class StormTests
{
    [Fact]
    public async Task Storm_EveryByteIsCorrectAndNothingIsLeft()
    {
        int seed = Number("TRANSFER_SEED", 1);
        TimeSpan duration = TimeSpan.FromSeconds(Math.Clamp(Number("TRANSFER_STORM_SECONDS", LongTests.Choose(full: 30, quick: 5)), 1, 1800));
        try
        {
            await using Storm storm = await Storm.BeginAsync(seed);
            await storm.RageAsync(duration);
            await storm.CalmAsync();
        }
        catch (Exception e)
        {
            throw new Xunit.Sdk.XunitException($"The storm failed with TRANSFER_SEED={seed}: {e.Message}", e);
        }
    }

    private static int Number(string variable, int otherwise)
        => int.TryParse(Environment.GetEnvironmentVariable(variable), CultureInfo.InvariantCulture, out int number) ? number : otherwise;
}
