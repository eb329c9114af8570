using System.Globalization;
using Transfer.Tests.Infrastructure;

namespace Transfer.IntegrationTests.Faults;

/// <summary>
/// Many transfers at once through everything that can go wrong. <c>TRANSFER_STORM_SECONDS</c> (30, or 5 in a quick run, at most 1,800) and <c>TRANSFER_SEED</c> say how long and
/// which; a failure tells its seed.
/// </summary>
[CollectionDefinition(nameof(StormTests), DisableParallelization = true)]
[Collection(nameof(StormTests))]
public sealed class StormTests
{
    [Fact]
    public async Task Storm_EveryByteIsRightAndNothingIsLeft()
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
            throw new Xunit.Sdk.XunitException($"The storm of TRANSFER_SEED={seed}: {e.Message}", e);
        }
    }

    private static int Number(string variable, int otherwise)
        => int.TryParse(Environment.GetEnvironmentVariable(variable), CultureInfo.InvariantCulture, out int number) ? number : otherwise;
}
