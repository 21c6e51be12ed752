// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// Code behind every deposit address. It has no owner and no key: whoever calls it, all money goes to one sink.
contract Forwarder {
    /// Set in the code itself, so that clones share it and nothing can change it.
    address public immutable sink;

    constructor(address to) {
        require(to != address(0), "no sink");
        sink = to;
    }

    /// The network's own coin, sent by mistake or not, is kept until it is flushed.
    receive() external payable {}

    /// Sends all of a token to the sink. Returns the token's increase there: what the token answers is not looked at, because tokens
    /// answer nothing, or false, although they moved the money. 0: nothing moved.
    function flush(address token) external returns (uint256 moved) {
        uint256 amount = balanceOf(token, address(this));
        if (amount == 0) return 0;
        uint256 before = balanceOf(token, sink);
        // The balances tell whether this worked.
        (bool ok, ) = token.call(abi.encodeWithSelector(0xa9059cbb, sink, amount));
        ok;
        uint256 afterwards = balanceOf(token, sink);
        return afterwards > before ? afterwards - before : 0;
    }

    /// Sends all of the network's own coin to the sink.
    function flushCoin() external returns (uint256 moved) {
        moved = address(this).balance;
        if (moved == 0) return 0;
        (bool ok, ) = sink.call{value: moved}("");
        require(ok, "sink refuses");
    }

    function balanceOf(address token, address owner) private view returns (uint256) {
        (bool ok, bytes memory answer) = token.staticcall(abi.encodeWithSelector(0x70a08231, owner));
        return ok && answer.length == 32 ? abi.decode(answer, (uint256)) : 0;
    }
}
