using System.Runtime.CompilerServices;
using FsCheck;
using FsCheck.Fluent;
using Microsoft.FSharp.Core;
using Transfer.Tests.Infrastructure;

namespace Transfer.Tests.Fuzz;

/// <summary>
/// Holds a property against thousands of inputs that come from outside. Every run makes the same ones: <c>TRANSFER_FUZZ_SEED</c> asks for others, and
/// <c>TRANSFER_FUZZ_CASES</c> for more. A failure tells the seed and the smallest input that was found to fail.
/// </summary>
/// <remarks>Inputs are made by plain code from a <see cref="System.Random"/>, which costs little; FsCheck draws its seeds, and cuts what fails down.</remarks>
internal static class Fuzzer
{
    private const int DefaultSeed = 20_260_101;

    /// <summary>How much one case may allocate, unless a property says otherwise: nothing that is read is kept more than a few times over.</summary>
    private const long MaxCaseBytes = 4 << 20;

    /// <summary>For all cases of a property together: one that hangs is told from one that is slow by far.</summary>
    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(2);

    private static readonly int LeastCases = LongTests.Choose(full: 10_000, quick: 500);
    private static readonly int Cases = Math.Max(LeastCases, FromEnvironment("TRANSFER_FUZZ_CASES", LeastCases));
    private static readonly int Seed = FromEnvironment("TRANSFER_FUZZ_SEED", DefaultSeed);

    public static Task TextAsync(Func<Random, string> make, Action<string> property, long maxBytes = MaxCaseBytes, [CallerMemberName] string name = "")
        => CheckAsync(make, property, text => Cuts(text.Length).Select(cut => text.Remove(cut.At, cut.Count)), maxBytes, name);

    public static Task BytesAsync(Func<Random, byte[]> make, Action<byte[]> property, long maxBytes = MaxCaseBytes, [CallerMemberName] string name = "")
        => CheckAsync(make, property, bytes => Cuts(bytes.Length).Select(cut => (byte[])[.. bytes[..cut.At], .. bytes[(cut.At + cut.Count)..]]), maxBytes, name);

    /// <param name="make">Makes an input; of the same random numbers always the same.</param>
    /// <param name="property">Throws where it does not hold.</param>
    /// <param name="smaller">The inputs that are tried next instead of one that fails; null where there is nothing to cut.</param>
    /// <param name="maxBytes">How much one case may allocate on its own thread.</param>
    /// <param name="name">What the failure calls it.</param>
    public static async Task CheckAsync<T>(
        Func<Random, T> make, Action<T> property, Func<T, IEnumerable<T>>? smaller = null, long maxBytes = MaxCaseBytes, [CallerMemberName] string name = "")
    {
        T? latest = default;
        T? failing = default;
        Exception? failure = null;
        Arbitrary<T> inputs = Arb.From(Gen.Choose(0, int.MaxValue).Select(seed => make(new Random(seed))), smaller ?? (_ => []));
        Config config = Config.QuickThrowOnFailure.WithMaxTest(Cases).WithQuietOnSuccess(true)
            .WithReplay(FSharpOption<Replay>.Some(new Replay(new Rnd((ulong)Seed), FSharpOption<int>.None)));
        Task run = Task.Run(() => Prop.ForAll(inputs, Holds).Check(config));
        try
        {
            await run.WaitAsync(Limit);
        }
        catch (TimeoutException)
        {
            Assert.Fail(Describe("did not end", latest));
        }
#pragma warning disable CA1031 // FsCheck's own text shows no bytes that can be read; ours has the failure in it
        catch (Exception) when (failure is not null)
#pragma warning restore CA1031
        {
            Assert.Fail(Describe($"does not hold: {failure}", failing));
        }

        string Describe(string what, T? input) => $"{name} {what}\nSmallest input found:\n{Literal.Of(input)}\nRun it again with TRANSFER_FUZZ_SEED={Seed} TRANSFER_FUZZ_CASES={Cases}.";

        void Holds(T input)
        {
            latest = input;
            long before = GC.GetAllocatedBytesForCurrentThread();
            try
            {
                property(input);
                long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
                Assert.True(allocated <= maxBytes, $"It allocated {allocated} bytes.");
            }
            catch (Exception e)
            {
                (failing, failure) = (input, e);
                throw;
            }
        }
    }

    /// <summary>What can be left out of so many: halves first, single ones last.</summary>
    private static IEnumerable<(int At, int Count)> Cuts(int length)
    {
        for (int count = length; count > 0; count /= 2)
        {
            for (int at = 0; at + count <= length; at += count)
            {
                yield return (at, count);
            }
        }
    }

    private static int FromEnvironment(string name, int otherwise) => int.TryParse(Environment.GetEnvironmentVariable(name), out int value) ? value : otherwise;
}
