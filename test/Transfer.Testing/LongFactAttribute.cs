namespace Transfer.S3.Testing;

/// <summary>A test that takes long, and runs only with <c>TRANSFER_TEST_LONG=1</c>.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class LongFactAttribute : FactAttribute
{
    public LongFactAttribute()
    {
        if (!LongTests.AreEnabled)
        {
            Skip = $"Set {LongTests.Variable}=1 to run the long tests.";
        }
    }
}
