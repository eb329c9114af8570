namespace Transfer.S3.Testing;

/// <summary>
/// Determines whether the long tests run. <c>TRANSFER_TEST_LONG=1</c> runs every test in full, as CI does. Otherwise, storms are short,
/// properties are checked with fewer inputs, and matrices are sampled, so that a run takes a few minutes.
/// </summary>
public static class LongTests
{
    public const string Variable = "TRANSFER_TEST_LONG";

    public static bool AreEnabled { get; } = Environment.GetEnvironmentVariable(Variable) == "1";

    /// <summary>Returns a number for a full run, or a smaller one for a quick run.</summary>
    public static T Choose<T>(T full, T quick) => AreEnabled ? full : quick;
}
