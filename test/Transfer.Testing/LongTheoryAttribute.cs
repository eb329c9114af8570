namespace Transfer.S3.Testing;

/// <summary>Tests that take long, and run only with <c>TRANSFER_TEST_LONG=1</c>.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class LongTheoryAttribute : TheoryAttribute
{
    public LongTheoryAttribute()
    {
        if (!LongTests.AreEnabled)
        {
            Skip = $"Set {LongTests.Variable}=1 to run the long tests.";
        }
    }
}
