// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// Balances that grow by a tenth in a year, without any transfer.
contract TestRebasing {
    string public constant name = "Growing Dollar";
    string public constant symbol = "USDT";
    uint8 public immutable decimals;
    uint256 private immutable start = block.timestamp;
    mapping(address => uint256) private shares;

    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor(uint8 digits) {
        decimals = digits;
    }

    function balanceOf(address owner) public view returns (uint256) {
        return shares[owner] + (shares[owner] * (block.timestamp - start)) / 3650 days;
    }

    function issue(address to, uint256 value) external {
        shares[to] += value;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        shares[msg.sender] -= value;
        shares[to] += value;
        emit Transfer(msg.sender, to, value);
        return true;
    }
}

/// Answers true, logs a transfer, and moves nothing.
contract TestLying {
    string public constant name = "Promised Dollar";
    string public constant symbol = "USDT";
    uint8 public immutable decimals;
    mapping(address => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor(uint8 digits) {
        decimals = digits;
    }

    function issue(address to, uint256 value) external {
        balanceOf[to] += value;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        emit Transfer(msg.sender, to, value);
        return true;
    }
}

/// Code that can be exchanged: calls go to another contract, whose place is where EIP-1967 puts it.
contract TestProxy {
    constructor(address to) {
        assembly {
            sstore(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc, to)
        }
    }

    fallback() external payable {
        assembly {
            calldatacopy(0, 0, calldatasize())
            let to := sload(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc)
            let ok := delegatecall(gas(), to, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if ok {
                return(0, returndatasize())
            }
            revert(0, returndatasize())
        }
    }
}
