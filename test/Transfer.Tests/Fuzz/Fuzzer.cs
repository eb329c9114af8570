using System.Runtime.CompilerServices;
using FsCheck;
using FsCheck.Fluent;
using Microsoft.FSharp.Core;

namespace Transfer.S3.Tests.Fuzz;

/// <summary>
/// Checks a property with thousands of untrusted inputs. Every run uses the same inputs. <c>TRANSFER_FUZZ_SEED</c> selects others, and
/// <c>TRANSFER_FUZZ_CASES</c> increases their number. A failure reports the seed and the smallest input found that fails.
/// </summary>
/// <remarks>
/// Inputs are made by plain code from a <see cref="System.Random"/>, which is fast. FsCheck draws the seeds and shrinks failing inputs.
/// </remarks>
internal static class Fuzzer
{
    private const int DefaultSeed = 20_260_101;

    /// <summary>The default limit for the memory that one case may allocate. Parsers must not keep more than a few copies of their input.</summary>
    private const long MaxCaseBytes = 4 << 20;

    /// <summary>The time limit for all cases of a property. It detects cases that hang or are far too slow.</summary>
    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(2);

    private static readonly int LeastCases = LongTests.Choose(full: 10_000, quick: 500);
    private static readonly int Cases = Math.Max(LeastCases, FromEnvironment("TRANSFER_FUZZ_CASES", LeastCases));
    private static readonly int Seed = FromEnvironment("TRANSFER_FUZZ_SEED", DefaultSeed);

    public static Task TextAsync(Func<Random, string> make, Action<string> property, long maxBytes = MaxCaseBytes, [CallerMemberName] string name = "")
        => CheckAsync(make, property, text => Cuts(text.Length).Select(cut => text.Remove(cut.At, cut.Count)), maxBytes, name);

    public static Task BytesAsync(Func<Random, byte[]> make, Action<byte[]> property, long maxBytes = MaxCaseBytes, [CallerMemberName] string name = "")
        => CheckAsync(make, property, bytes => Cuts(bytes.Length).Select(cut => (byte[])[.. bytes[..cut.At], .. bytes[(cut.At + cut.Count)..]]), maxBytes, name);

    /// <param name="make">Makes an input. The same random numbers always make the same input.</param>
    /// <param name="property">Throws if the property does not hold.</param>
    /// <param name="smaller">Returns smaller inputs to try instead of a failing one; null if inputs can't be shrunk.</param>
    /// <param name="maxBytes">The maximum number of bytes that a case may allocate on its thread.</param>
    /// <param name="name">The name of the property in the message of a failure.</param>
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
            Assert.Fail(Describe("did not end within the time limit", latest));
        }
#pragma warning disable CA1031 // the message of FsCheck shows no readable bytes; this one includes the failure
        catch (Exception) when (failure is not null)
#pragma warning restore CA1031
        {
            Assert.Fail(Describe($"does not hold: {failure}", failing));
        }

        string Describe(string what, T? input) => $"{name} {what}\nSmallest input found:\n{Literal.Of(input)}\nTo reproduce, run the test with TRANSFER_FUZZ_SEED={Seed} TRANSFER_FUZZ_CASES={Cases}.";

        void Holds(T input)
        {
            latest = input;
            long before = GC.GetAllocatedBytesForCurrentThread();
            try
            {
                property(input);
                long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
                Assert.True(allocated <= maxBytes, $"The case allocated {allocated} bytes, and the limit is {maxBytes}.");
            }
            catch (Exception e)
            {
                (failing, failure) = (input, e);
                throw;
            }
        }
    }

    /// <summary>Returns the slices that can be removed from an input of the given length: halves first, single elements last.</summary>
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
