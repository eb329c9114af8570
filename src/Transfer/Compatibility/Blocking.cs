namespace Transfer.Compatibility;

/// <summary>The interface's synchronous calls: they hold the calling thread, as the SDK's do, and throw what the call threw.</summary>
internal static class Blocking
{
#pragma warning disable VSTHRD002 // the contract leaves no other way; nothing in the library comes back to the caller's context
    public static void Wait(Task call) => call.GetAwaiter().GetResult();

    public static T Wait<T>(Task<T> call) => call.GetAwaiter().GetResult();
#pragma warning restore VSTHRD002
}
